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
package org.lakesteward.testing.server;

import com.google.common.base.Stopwatch;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./lakesteward server}: starts a cluster and stays until it is interrupted.
 */
public final class ServerCommand
{
    private ServerCommand() {}

    /**
     * @param arguments number of workers and the coordinator's port, both checked by the script that calls this
     */
    static void main(String[] arguments)
            throws InterruptedException
    {
        int workers = Integer.parseInt(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        ProjectLayout layout = ProjectLayout.current();
        Path folder = layout.root().resolve("var/server");

        System.out.printf("Starting Trino: a coordinator and %s worker%s ...%n", workers, workers == 1 ? "" : "s");
        Stopwatch stopwatch = Stopwatch.createStarted();
        TrinoCluster cluster;
        try {
            cluster = TrinoCluster.builder(layout)
                    .folder(folder)
                    .workers(workers)
                    .coordinatorPort(port)
                    .start();
        }
        catch (ServerStartException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        System.out.printf(
                """
                Ready after %s s.

                  JDBC URL    %s/lake   (any user name, no password)
                  Trino CLI   trino --server %s --catalog lake
                  Web page    %s
                  Catalogs    lake   the Iceberg lake, through the connector iceberg_maintained
                              stock  the same tables, through Trino's own connector iceberg
                              tpch   generated data, such as tpch.tiny.orders
                  Files       %s
                  Logs        %s/*/var/log/server.log

                Tables stay for the next start. Ctrl-C stops the servers.
                """,
                stopwatch.elapsed(TimeUnit.SECONDS),
                cluster.jdbcUrl(),
                cluster.coordinatorUri(),
                cluster.coordinatorUri(),
                cluster.warehouse(),
                folder);
        // until the interrupt ends this process; its shutdown hook stops the servers
        new CountDownLatch(1).await();
    }
}
