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
package org.lakesteward.testing.demo;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.testing.server.StatementResult;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.util.Objects.requireNonNull;

/**
 * The story of the demo: tables that a stream and late corrections have worn down, their diagnosis, their compaction, and
 * the proof that they still hold the same rows.
 */
final class Demo
{
    /** Late corrections of each table; each comes in three kinds */
    private static final int CORRECTIONS = 6;

    private final Narrator narrator;
    private final List<Feed> feeds;

    Demo(Narrator narrator, List<Feed> feeds)
    {
        this.narrator = requireNonNull(narrator, "narrator is null");
        this.feeds = ImmutableList.copyOf(feeds);
    }

    /**
     * @return whether every table holds the same rows before and after
     * @throws org.lakesteward.testing.server.StatementFailedException if any statement fails
     */
    boolean run()
    {
        fill();
        for (Feed feed : feeds) {
            diagnose(feed);
        }
        Map<Feed, Measurement> before = measure("What the tables cost now");
        Map<Feed, StatementResult> rowsBefore = checksums("Checksums before", "lake");

        for (Feed feed : feeds) {
            compact(feed);
        }

        Map<Feed, Measurement> after = measure("What the tables cost now");
        Map<Feed, StatementResult> rowsAfter = checksums("Checksums after, read through Trino's own connector", "stock");
        return report(before, after, rowsBefore, rowsAfter);
    }

    private void fill()
    {
        narrator.heading("A stream fills the tables, and corrections come late");
        for (Feed feed : feeds) {
            narrator.run(feed.createTable());
            narrator.print(feed.insert(1));
            narrator.say("... and so on, %s commits; between them %s of each of these, for other days:".formatted(feed.commits(), CORRECTIONS));
            narrator.print(feed.update(0, CORRECTIONS));
            narrator.print(feed.delete(0, CORRECTIONS));
            narrator.print(feed.merge(feed.commits() / CORRECTIONS, 0, CORRECTIONS));
        }
        narrator.say("");
        // one writer for each table, as streams have them
        try (ExecutorService writers = Executors.newFixedThreadPool(feeds.size())) {
            List<Future<?>> running = feeds.stream()
                    .<Future<?>>map(feed -> writers.submit(() -> write(feed)))
                    .toList();
            for (Future<?> writer : running) {
                writer.get();
            }
        }
        catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while filling the tables", e);
        }
    }

    private void write(Feed feed)
    {
        int corrections = 0;
        for (int commit = 1; commit <= feed.commits(); commit++) {
            narrator.runQuietly(feed.insert(commit));
            if (commit * CORRECTIONS / feed.commits() > corrections) {
                narrator.runQuietly(feed.update(corrections, CORRECTIONS));
                narrator.runQuietly(feed.delete(corrections, CORRECTIONS));
                narrator.runQuietly(feed.merge(commit, corrections, CORRECTIONS));
                corrections++;
                narrator.say("%s: %s of %s commits".formatted(feed.table(), commit, feed.commits()));
            }
        }
    }

    private void diagnose(Feed feed)
    {
        narrator.heading("Diagnosis of %s".formatted(feed.table()));
        //HEALTHnarrator.show("SELECT * FROM \"%s$health\"".formatted(feed.table()));
        narrator.show("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'demo', table_name => '%s'))".formatted(feed.table()));
    }

    private void compact(Feed feed)
    {
        narrator.heading("Compaction of %s by the workers".formatted(feed.table()));
        narrator.show("ALTER TABLE %s EXECUTE rewrite_data_files(dry_run => true)".formatted(feed.table()));
        StatementResult result = narrator.show("ALTER TABLE %s EXECUTE rewrite_data_files".formatted(feed.table()));
        narrator.say("\nElapsed %s ms, CPU %s ms, %s bytes over the network between workers.".formatted(
                result.statistics().getElapsedTimeMillis(),
                result.statistics().getCpuTimeMillis(),
                result.statistics().getInternalNetworkInputBytes()));
        narrator.show(
                """
                SELECT key, value
                FROM "%1$s$snapshots" CROSS JOIN UNNEST(summary) AS entry (key, value)
                WHERE snapshot_id = (SELECT snapshot_id FROM "%1$s$refs" WHERE name = 'main') AND key LIKE 'lakesteward.%%'
                ORDER BY key
                """.formatted(feed.table()));
        //HEALTHnarrator.show("SELECT * FROM \"%s$health\"".formatted(feed.table()));
        narrator.say("\nA second run finds nothing to do:");
        narrator.show("ALTER TABLE %s EXECUTE rewrite_data_files(dry_run => true)".formatted(feed.table()));
    }

    private Map<Feed, Measurement> measure(String heading)
    {
        narrator.heading(heading);
        ImmutableMap.Builder<Feed, Measurement> measurements = ImmutableMap.builder();
        for (Feed feed : feeds) {
            narrator.print(feed.dashboard());
            Measurement measurement = Measurement.take(narrator, feed);
            narrator.say("%s: %s data files, %s delete files; the query takes %s ms and reads %s bytes".formatted(
                    feed.table(),
                    measurement.dataFiles(),
                    measurement.deleteFiles(),
                    measurement.queryMillis(),
                    measurement.queryBytesRead()));
            measurements.put(feed, measurement);
        }
        return measurements.buildOrThrow();
    }

    private Map<Feed, StatementResult> checksums(String heading, String catalog)
    {
        narrator.heading(heading);
        Map<Feed, StatementResult> results = new HashMap<>();
        for (Feed feed : feeds) {
            results.put(feed, narrator.show(feed.checksums(catalog)));
        }
        return results;
    }

    private boolean report(Map<Feed, Measurement> before, Map<Feed, Measurement> after, Map<Feed, StatementResult> rowsBefore, Map<Feed, StatementResult> rowsAfter)
    {
        boolean same = true;
        for (Feed feed : feeds) {
            narrator.heading("%s, before and after".formatted(feed.table()));
            narrator.print(ImmutableList.of("", "before", "after"), Measurement.compare(before.get(feed), after.get(feed)));
            if (texts(rowsBefore.get(feed)).equals(texts(rowsAfter.get(feed)))) {
                narrator.say("\n  All checksums are equal: %s holds the same rows.".formatted(feed.table()));
            }
            else {
                narrator.say("\n  THE CHECKSUMS DIFFER: %s does not hold the same rows any more.".formatted(feed.table()));
                same = false;
            }
        }
        return same;
    }

    private static List<String> texts(StatementResult result)
    {
        return result.rows().getFirst().stream()
                .map(TextTable::text)
                .toList();
    }
}
