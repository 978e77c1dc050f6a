/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.lakesteward.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * The coordinator's final account of a query.
 *
 * @param cpuSeconds CPU time of its operators on all nodes
 * @param networkBytes bytes that its stages sent each other
 * @param peakMemoryBytes peak of the memory accounted to it
 * @param physicalReadBytes bytes of tables read from storage
 * @param dataFiles data files that its table scans were planned for, after those that their metadata rule out
 */
public record QueryStatistics(double cpuSeconds, long networkBytes, long peakMemoryBytes, long physicalReadBytes, long dataFiles)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient HTTP_CLIENT = HttpClient.newHttpClient();
    private static final int MAX_TRIES = 300;
    private static final long RETRY_MILLIS = 100;

    /**
     * @param coordinator base URI of the coordinator
     * @throws BenchmarkFailedException if the coordinator does not tell within 30 seconds
     */
    public static QueryStatistics fetch(URI coordinator, String queryId)
    {
        try {
            for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
                JsonNode query = get(coordinator.resolve("/v1/query/" + queryId));
                // the client hears of the end before the last tasks have reported what they did
                if (query.path("finalQueryInfo").asBoolean()) {
                    return parse(query);
                }
                Thread.sleep(RETRY_MILLIS);
            }
            throw new BenchmarkFailedException("The coordinator has no final statistics of query " + queryId);
        }
        catch (IOException e) {
            throw new BenchmarkFailedException("Cannot read the statistics of query " + queryId, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkFailedException("Interrupted while reading the statistics of query " + queryId, e);
        }
    }

    static QueryStatistics parse(JsonNode query)
    {
        JsonNode statistics = query.path("queryStats");
        return new QueryStatistics(
                Duration.valueOf(text(statistics, "totalCpuTime")).getValue(SECONDS),
                DataSize.valueOf(text(statistics, "internalNetworkInputDataSize")).toBytes(),
                DataSize.valueOf(text(statistics, "peakTotalMemoryReservation")).toBytes(),
                DataSize.valueOf(text(statistics, "physicalInputDataSize")).toBytes(),
                dataFiles(query));
    }

    private static long dataFiles(JsonNode query)
    {
        long files = 0;
        for (JsonNode stage : query.path("stages").path("stages")) {
            for (JsonNode scan : stage.path("stageStats").path("splitSourceMetrics")) {
                files += scan.path("dataFiles").path("total").asLong();
            }
        }
        return files;
    }

    private static String text(JsonNode statistics, String field)
    {
        JsonNode value = statistics.path(field);
        if (!value.isTextual()) {
            throw new BenchmarkFailedException("The query's statistics have no field %s".formatted(field));
        }
        return value.asText();
    }

    private static JsonNode get(URI uri)
            throws IOException, InterruptedException
    {
        HttpResponse<String> response = HTTP_CLIENT.send(
                HttpRequest.newBuilder(uri).header("X-Trino-User", "lakesteward").timeout(java.time.Duration.ofSeconds(30)).build(),
                BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new BenchmarkFailedException("The coordinator answered %s to %s".formatted(response.statusCode(), uri));
        }
        return MAPPER.readTree(response.body());
    }
}
