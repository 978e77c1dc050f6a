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

import org.lakesteward.testing.server.StatementFailedException;
import org.lakesteward.testing.server.TrinoClient;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static java.util.Objects.requireNonNull;

/**
 * The second part of the demo: closes the lake to writes and opens it again. A write that is refused though no window is open,
 * or let through though one is, fails it.
 */
final class MaintenanceCycle
{
    private static final String REFUSED = "CLUSTER_IN_MAINTENANCE";
    private static final String WRITE = "INSERT INTO lake.demo.notes VALUES ('written at ' || CAST(current_timestamp AS varchar))";
    /** Would run for hours, so that it is there to be killed */
    private static final String ENDLESS_READ = "SELECT count(*) FROM tpch.sf10000.lineitem CROSS JOIN tpch.sf1.nation";

    private final TrinoCluster cluster;
    private final PrintStream out;
    private final Narrator operator;
    private final Narrator analyst;

    MaintenanceCycle(TrinoCluster cluster, PrintStream out)
    {
        this.cluster = requireNonNull(cluster, "cluster is null");
        this.out = requireNonNull(out, "out is null");
        operator = narrator(cluster.client().withUser("operator"));
        analyst = narrator(cluster.client().withUser("analyst"));
    }

    private Narrator narrator(TrinoClient client)
    {
        return new Narrator(client.withSchema("lake", "demo"), out);
    }

    /**
     * @return whether everything was open and closed as it should be
     */
    boolean run()
    {
        analyst.heading("Maintenance mode: a write works");
        analyst.run("CREATE TABLE lake.demo.notes (note varchar)");
        analyst.show(WRITE);

        operator.heading("An operator closes the lake to writes; the call returns when no write can land any more");
        operator.run("CALL maintenance.system.enter_maintenance(reason => 'restore of the backup of Friday', retry_after => '10m')");
        operator.show("SELECT scope, state, reason, opened_by FROM maintenance.system.maintenance_windows");
        operator.show("SELECT window_scope, coordinator, live, acknowledged FROM maintenance.system.window_acknowledgements");

        analyst.heading("The same write is refused");
        boolean refused = isRefused();

        analyst.heading("Reads go on, and so do EXPLAIN of a write and killing a query");
        analyst.show("SELECT count(*) AS notes FROM lake.demo.notes");
        analyst.run("EXPLAIN " + WRITE);
        boolean killed = kill();

        operator.heading("The coordinator is killed and started again: the lake is still closed");
        cluster.coordinator().kill();
        cluster.restart(cluster.coordinator());
        refused &= isRefused();

        operator.heading("The operator opens the lake; the same write works again");
        operator.run("CALL maintenance.system.exit_maintenance()");
        analyst.show(WRITE);
        long notes = (long) analyst.show("SELECT count(*) AS notes FROM lake.demo.notes").onlyValue();
        boolean exact = notes == 2;
        if (!exact) {
            out.printf("%n  THE TABLE HOLDS %s NOTES: two writes were let through.%n", notes);
        }
        return refused && killed && exact;
    }

    private boolean isRefused()
    {
        try {
            analyst.run(WRITE);
        }
        catch (StatementFailedException e) {
            out.printf("  %s%n", e.trinoMessage());
            return e.errorName().equals(REFUSED);
        }
        out.printf("%n  THE WRITE WAS LET THROUGH.%n");
        return false;
    }

    private boolean kill()
    {
        TrinoClient reader = cluster.client().withUser("reader");
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> read = executor.submit(() -> reader.query(ENDLESS_READ));
            String queryId = awaitQuery();
            operator.run("CALL system.runtime.kill_query('%s', 'makes room for the restore')".formatted(queryId));
            read.get(1, TimeUnit.MINUTES);
            out.printf("%n  THE QUERY WAS NOT KILLED.%n");
            return false;
        }
        catch (ExecutionException e) {
            if (e.getCause() instanceof StatementFailedException failure) {
                out.printf("  %s%n", failure.trinoMessage());
                return failure.errorName().equals("ADMINISTRATIVELY_KILLED");
            }
            throw new IllegalStateException(e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a query was to be killed", e);
        }
        catch (TimeoutException e) {
            throw new IllegalStateException("The killed query has not ended after a minute", e);
        }
    }

    private String awaitQuery()
            throws InterruptedException
    {
        while (true) {
            List<List<Object>> rows = cluster.query("SELECT query_id FROM system.runtime.queries WHERE \"user\" = 'reader' AND state = 'RUNNING'").rows();
            if (!rows.isEmpty()) {
                return (String) rows.getFirst().getFirst();
            }
            // the next look is a query of its own, which takes its time
            Thread.sleep(50);
        }
    }
}
