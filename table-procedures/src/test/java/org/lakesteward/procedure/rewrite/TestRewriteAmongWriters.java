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
package org.lakesteward.procedure.rewrite;

import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteCluster.await;
import static org.lakesteward.procedure.rewrite.RewriteCluster.get;

/**
 * A table that is rewritten again and again while four others write to it: the rows are at last what the writers made them.
 */
public class TestRewriteAmongWriters
{
    private static final int ROUNDS = 5;
    private static final int ATTEMPTS = 60;

    private RewriteCluster cluster;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        cluster = new RewriteCluster();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        cluster.close();
        cluster = null;
    }

    @DataProvider
    public Object[][] conflicts()
    {
        return new Object[][] {{2, "fail"}, {3, "skip_group"}};
    }

    @Test(dataProvider = "conflicts")
    public void test(int formatVersion, String onConflict)
    {
        String table = "writers_v" + formatVersion;
        cluster.execute("CREATE TABLE %s (part varchar, id bigint, name varchar) WITH (format_version = %s, partitioning = ARRAY['part'])".formatted(table, formatVersion));
        // each writer has ids of its own, so that the outcome does not depend on who comes first: below 100 to delete, below 200 to update, below 300 for others to delete
        cluster.execute("INSERT INTO %s SELECT IF(id %% 2 = 0, 'a', 'b'), id, 'v' || cast(id AS varchar) FROM UNNEST(sequence(0, 299)) AS t(id)".formatted(table));
        Map<Long, String> model = new ConcurrentHashMap<>();
        for (long id = 0; id < 300; id++) {
            model.put(id, "v" + id);
        }

        AtomicInteger commits = new AtomicInteger();
        List<Future<?>> writers = new ArrayList<>();
        writers.add(writer(round -> {
            committed(commits, () -> cluster.execute("INSERT INTO %s VALUES ('a', %s, 'new'), ('b', %s, 'new')".formatted(table, 1000 + round, 2000 + round)));
            model.put(1000L + round, "new");
            model.put(2000L + round, "new");
        }));
        writers.add(writer(round -> {
            committed(commits, () -> cluster.execute("DELETE FROM %s WHERE id IN (%s, %s)".formatted(table, 2 * round, 2 * round + 1)));
            model.remove(2L * round);
            model.remove(2L * round + 1);
        }));
        writers.add(writer(round -> {
            committed(commits, () -> cluster.execute("UPDATE %s SET name = 'updated%s' WHERE id BETWEEN 100 AND 109".formatted(table, round)));
            for (long id = 100; id < 110; id++) {
                model.put(id, "updated" + round);
            }
        }));
        writers.add(writer(round -> {
            committed(commits, () -> {
                OutsideWriter outside = cluster.outside();
                outside.deleteEqual(table, outside.dataFiles(table).stream().filter(file -> file.partition().get(0, String.class).equals("a")).findFirst().orElseThrow(), "id", 200L + 2 * round);
            });
            model.remove(200L + 2 * round);
        }));
        Future<?> rewriter = cluster.executor().submit(() -> {
            int seen = 0;
            while (!writers.stream().allMatch(Future::isDone)) {
                // after each few commits of the writers, or else an update could never win
                int next = seen + 2;
                await(() -> commits.get() >= next || writers.stream().allMatch(Future::isDone));
                seen = commits.get();
                try {
                    cluster.rewrite(table, "(rewrite_all => true, on_conflict => '%s')".formatted(onConflict));
                }
                catch (RuntimeException e) {
                    assertThat(e).hasMessageContaining("nothing was changed");
                }
            }
        });
        writers.forEach(RewriteCluster::get);
        get(rewriter);

        cluster.rewrite(table, "(rewrite_all => true)");
        List<String> expected = model.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).toList();
        assertThat(cluster.column("SELECT cast(id AS varchar) || '=' || name FROM " + table)).containsExactlyInAnyOrderElementsOf(expected.stream().map(Object.class::cast).toList());
        assertThat(cluster.outside().dataFiles(table)).hasSize(2);
        assertThat(cluster.outside().deleteFiles(table)).isEmpty();
        await(() -> ours(table).isEmpty());
    }

    /** Files of rewrites that no snapshot has; Trino's own statements may leave theirs when they lose a race. */
    private List<String> ours(String table)
    {
        return cluster.unaccountedFiles(table).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.matches(".*_[a-z0-9]{5}-\\d+-\\d+\\.parquet") || name.contains("-later-"))
                .toList();
    }

    private Future<?> writer(Round round)
    {
        return cluster.executor().submit(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                round.run(i);
            }
        });
    }

    private interface Round
    {
        void run(int round);
    }

    /** Repeats what lost against another commit; every statement of the writers may be repeated. */
    private static void committed(AtomicInteger commits, Runnable statement)
    {
        RuntimeException last = null;
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                statement.run();
                commits.incrementAndGet();
                return;
            }
            catch (RuntimeException e) {
                last = e;
            }
        }
        throw last;
    }
}
