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

import com.google.common.collect.ImmutableList;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The plugin as operators run it: unpacked from its zip beside Trino's own Iceberg plugin, in servers of their own processes.
 */
public class TestLakeOnServers
{
    private TrinoCluster cluster;

    @BeforeClass
    public void start()
    {
        cluster = TrinoCluster.builder(ProjectLayout.current())
                .emptyFolder(folder("lake-on-servers"))
                .workers(2)
                .start();
        cluster.query("CREATE SCHEMA lake.test");
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    private static Path folder(String name)
    {
        return ProjectLayout.current().root().resolve("testing/target/clusters").resolve(name);
    }

    @Test
    public void testSameTablesThroughBothConnectors()
    {
        cluster.query("CREATE TABLE lake.test.shared AS SELECT * FROM tpch.tiny.nation");
        cluster.query("INSERT INTO stock.test.shared SELECT * FROM tpch.tiny.nation");
        cluster.query("DELETE FROM lake.test.shared WHERE nationkey = 0");

        assertThat(cluster.query("SELECT count(*) FROM stock.test.shared").onlyValue()).isEqualTo(48L);
        assertThat(cluster.query("SELECT count(*) FROM lake.test.shared").onlyValue()).isEqualTo(48L);
    }

    @Test
    public void testRewriteOverHttpAndJdbc()
            throws SQLException
    {
        for (String table : ImmutableList.of("over_http", "over_jdbc")) {
            cluster.query("CREATE TABLE lake.test.%s AS SELECT * FROM tpch.tiny.nation".formatted(table));
            for (int commit = 1; commit < 6; commit++) {
                cluster.query("INSERT INTO lake.test.%s SELECT * FROM tpch.tiny.nation".formatted(table));
            }
            cluster.query("DELETE FROM lake.test.%s WHERE regionkey = 1".formatted(table));
        }

        List<Object> before = checksum("over_http");
        StatementResult rewrite = cluster.query("ALTER TABLE lake.test.over_http EXECUTE rewrite_data_files");
        assertThat(rewrite.column("metric_name")).contains("data_files_read", "rows_written");
        assertThat(files("over_http")).isEqualTo(1L);
        assertThat(checksum("over_http")).isEqualTo(before);

        try (Connection connection = cluster.connect("lake", "test");
                Statement statement = connection.createStatement()) {
            try (ResultSet plan = statement.executeQuery("SELECT count(*) FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => 'over_jdbc'))")) {
                assertThat(plan.next()).isTrue();
                assertThat(plan.getLong(1)).isPositive();
            }
            statement.execute("ALTER TABLE over_jdbc EXECUTE rewrite_data_files");
        }
        assertThat(files("over_jdbc")).isEqualTo(1L);
        assertThat(checksum("over_jdbc")).isEqualTo(before);
    }

    private long files(String table)
    {
        return (long) cluster.query("SELECT count(*) FROM lake.test.\"%s$files\"".formatted(table)).onlyValue();
    }

    /** Read through Trino's own connector, which knows nothing of the rewrite */
    private List<Object> checksum(String table)
    {
        StatementResult result = cluster.query("SELECT count(*), to_hex(checksum(ROW(nationkey, name, regionkey, comment))) FROM stock.test.%s".formatted(table));
        return result.rows().getFirst();
    }

    @Test(priority = 1)
    public void testKilledWorkerComesBack()
    {
        ServerNode worker = cluster.workers().getFirst();
        long pid = worker.pid();
        worker.kill();
        assertThat(worker.isAlive()).isFalse();

        cluster.restart(worker);

        assertThat(worker.pid()).isNotEqualTo(pid);
        assertThat(cluster.query("SELECT count(*) FROM tpch.tiny.lineitem").onlyValue()).isEqualTo(60175L);
    }

    @Test(priority = 2)
    public void testTablesOutliveKilledCoordinator()
    {
        cluster.query("CREATE TABLE lake.test.kept AS SELECT * FROM tpch.tiny.region");
        cluster.coordinator().kill();
        assertThat(cluster.coordinator().isAlive()).isFalse();

        cluster.restart(cluster.coordinator());

        assertThat(cluster.query("SELECT count(*) FROM lake.test.kept").onlyValue()).isEqualTo(5L);
        assertThat(cluster.query("SELECT count(*) FROM stock.test.kept").onlyValue()).isEqualTo(5L);
    }
}
