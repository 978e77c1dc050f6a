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
package org.lakesteward.benchmarks.peers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.benchmarks.BenchmarkFailedException;
import org.lakesteward.testing.server.PostgreSqlServer;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.ServerStartException;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.lang.ProcessBuilder.Redirect.appendTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Spark with Iceberg's runtime in a process of its own, which ends when this one does. It reads no configuration but what is given
 * to it here: a Spark that a user has installed is neither used nor disturbed. Not thread-safe.
 */
final class SparkEngine
        implements AutoCloseable
{
    /** Also the name under which Trino's catalogs keep their tables in the same database */
    static final String CATALOG = "lakesteward";
    /** As much as the coordinator and the workers of Trino have together */
    static final String HEAP = "4g";

    private static final String MAIN_CLASS = "org.lakesteward.benchmarks.spark.SparkProcess";
    private static final String READY = "READY ";
    private static final String ROWS = "ROWS ";
    private static final int STOP_SECONDS = 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The packages that Spark's own launcher opens */
    private static final List<String> OPENED_PACKAGES = ImmutableList.of(
            "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util", "java.util.concurrent",
            "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar");

    private final Process process;
    private final BufferedReader answers;
    private final Writer statements;
    private final Path log;
    private String version = "";

    private SparkEngine(Process process, Path log)
    {
        this.process = requireNonNull(process, "process is null");
        this.log = requireNonNull(log, "log is null");
        answers = process.inputReader(UTF_8);
        statements = process.outputWriter(UTF_8);
    }

    /**
     * @param folder for its temporary files and its log
     * @param warehouse location of the lake's tables
     * @throws ServerStartException if it does not start; nothing stays behind
     */
    static SparkEngine start(ProjectLayout layout, SparkJava java, Path folder, PostgreSqlServer catalog, String warehouse)
    {
        Path log = folder.resolve("spark.log");
        SparkEngine engine;
        try {
            Files.createDirectories(folder);
            ProcessBuilder builder = new ProcessBuilder(command(java, classPath(layout)))
                    .directory(folder.toFile())
                    .redirectError(appendTo(log.toFile()));
            builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_") || name.startsWith("HADOOP_"));
            engine = new SparkEngine(builder.start(), log);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start Spark", e);
        }
        try {
            engine.configure(settings(folder, catalog, warehouse));
            return engine;
        }
        catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /**
     * @throws ServerStartException if it has not been built
     */
    static String classPath(ProjectLayout layout)
    {
        Path target = layout.root().resolve("benchmarks/peers/target");
        Path classPath = target.resolve("classpath");
        if (!Files.exists(classPath)) {
            throw new ServerStartException("%s is missing: build it with ./mvnw -f benchmarks/peers/pom.xml compile".formatted(classPath));
        }
        try {
            return target.resolve("classes") + File.pathSeparator + Files.readString(classPath).trim();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(SparkJava java, String classPath)
    {
        ImmutableList.Builder<String> command = ImmutableList.<String>builder()
                .add(java.program().toString(), "-Xmx" + HEAP, "-XX:+UseG1GC", "-Duser.timezone=UTC", "-Djdk.reflect.useDirectMethodHandle=false");
        OPENED_PACKAGES.forEach(name -> command.add("--add-opens=java.base/%s=ALL-UNNAMED".formatted(name)));
        return command.add("-cp", classPath, MAIN_CLASS).build();
    }

    private static Map<String, String> settings(Path folder, PostgreSqlServer catalog, String warehouse)
    {
        String prefix = "spark.sql.catalog." + CATALOG;
        return ImmutableMap.<String, String>builder()
                .put("spark.app.name", "lakesteward-benchmark")
                .put("spark.master", master())
                .put("spark.log.level", "WARN")
                .put("spark.ui.enabled", "false")
                .put("spark.driver.host", "127.0.0.1")
                .put("spark.driver.bindAddress", "127.0.0.1")
                .put("spark.local.dir", folder.resolve("temporary").toString())
                .put("spark.sql.warehouse.dir", folder.resolve("unused").toString())
                .put("spark.sql.session.timeZone", "UTC")
                .put("spark.sql.shuffle.partitions", Integer.toString(cores()))
                .put("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
                .put("spark.sql.iceberg.compression-codec", "zstd")
                .put(prefix, "org.apache.iceberg.spark.SparkCatalog")
                .put(prefix + ".type", "jdbc")
                .put(prefix + ".uri", catalog.jdbcUrl())
                .put(prefix + ".jdbc.user", catalog.user())
                .put(prefix + ".jdbc.password", catalog.password())
                .put(prefix + ".jdbc.schema-version", "V1")
                .put(prefix + ".warehouse", warehouse)
                .buildOrThrow();
    }

    static String master()
    {
        return "local[%s]".formatted(cores());
    }

    private static int cores()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    private void configure(Map<String, String> settings)
    {
        String ready = ask(Joiner.on('\n').withKeyValueSeparator('=').join(settings) + "\n");
        if (!ready.startsWith(READY)) {
            throw new ServerStartException("Spark did not start: %s; see %s".formatted(ready, log));
        }
        version = ready.substring(READY.length());
    }

    /** Of Spark and its Java runtime, in words */
    String version()
    {
        return version;
    }

    /**
     * Runs one statement to its end.
     *
     * @return the rows of its result as objects
     * @throws BenchmarkFailedException if Spark refuses it or fails to run it
     */
    JsonNode query(String sql)
    {
        String answer = ask(sql);
        if (!answer.startsWith(ROWS)) {
            throw new BenchmarkFailedException("Spark answered to %s: %s; see %s".formatted(sql, answer, log));
        }
        try {
            return MAPPER.readTree(answer.substring(ROWS.length()));
        }
        catch (JsonProcessingException e) {
            throw new BenchmarkFailedException("Spark's answer cannot be read: " + answer, e);
        }
    }

    private String ask(String line)
    {
        try {
            statements.write(line + "\n");
            statements.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new BenchmarkFailedException("Spark has ended: see " + log);
            }
            return answer;
        }
        catch (IOException e) {
            throw new BenchmarkFailedException("Spark has ended: see " + log, e);
        }
    }

    /** CPU time that the process has taken since its start */
    Duration processCpu()
    {
        return process.info().totalCpuDuration()
                .orElseThrow(() -> new BenchmarkFailedException("The system does not tell the CPU time of Spark's process"));
    }

    @Override
    public void close()
    {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
        catch (IOException e) {
            process.destroyForcibly();
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
