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

import com.google.common.base.Stopwatch;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.ServerStartException;
import org.lakesteward.testing.server.StatementFailedException;
import org.lakesteward.testing.server.TrinoCluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./lakesteward demo}: exit code 0 if all went well, 1 if a statement failed, a server did not start, the input
 * cannot be used, or a table does not hold the same rows after its compaction.
 */
public final class DemoCommand
{
    private static final int WORKERS = 2;

    private DemoCommand() {}

    /**
     * @param arguments a Parquet file, or nothing
     */
    static void main(String[] arguments)
    {
        System.exit(run(arguments.length == 0 ? Optional.empty() : Optional.of(Path.of(arguments[0]))));
    }

    private static int run(Optional<Path> input)
    {
        ProjectLayout layout = ProjectLayout.current();
        Path folder = layout.root().resolve("var/demo");
        Stopwatch stopwatch = Stopwatch.createStarted();
        try {
            // before the servers start, so that a wrong file is known at once
            Optional<ParquetColumns> columns = input.map(ParquetColumns::read);
            System.out.printf("Starting Trino: a coordinator and %s workers ...%n", WORKERS);
            try (TrinoCluster cluster = TrinoCluster.builder(layout).emptyFolder(folder).workers(WORKERS).start()) {
                System.out.printf("Ready after %s s at %s; logs are in %s.%n", stopwatch.elapsed(TimeUnit.SECONDS), cluster.coordinatorUri(), folder);
                boolean same = tell(cluster, input, columns);
                boolean closed = new MaintenanceCycle(cluster, System.out).run();
                System.out.printf("%nDone after %s s.%n", stopwatch.elapsed(TimeUnit.SECONDS));
                return same && closed ? 0 : 1;
            }
        }
        catch (DemoInputException | ServerStartException | StatementFailedException e) {
            System.out.flush();
            System.err.printf("%nlakesteward: the demo failed: %s%n", e.getMessage());
            return 1;
        }
    }

    private static boolean tell(TrinoCluster cluster, Optional<Path> input, Optional<ParquetColumns> columns)
    {
        Narrator narrator = new Narrator(
                cluster.client()
                        .withSchema("lake", "demo")
                        // small row groups in the feeds, so that each commit reads its own rows only
                        .withSessionProperty("lake.parquet_writer_row_group_max_row_count", "10000"),
                System.out);
        narrator.run("CREATE SCHEMA demo");
        DemoInput demoInput = new DemoInput(narrator);
        List<Feed> feeds = input.isEmpty() ? demoInput.generate() : demoInput.load(input.orElseThrow(), columns.orElseThrow(), cluster.warehouse());
        return new Demo(new Narrator(cluster.client().withSchema("lake", "demo"), System.out), feeds).run();
    }
}
