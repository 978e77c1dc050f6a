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

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

public class TestRewriteDataFiles
{
    private DistributedQueryRunner queryRunner;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        queryRunner = LakeQueryRunner.create();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        queryRunner.close();
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        queryRunner = null;
    }

    @Test
    public void testSmallFiles()
    {
        queryRunner.execute("CREATE TABLE small (id bigint, name varchar)");
        for (int i = 0; i < 8; i++) {
            queryRunner.execute("INSERT INTO small VALUES (%s, 'n%s')".formatted(i, i));
        }
        assertThat(scalar("SELECT count(*) FROM \"small$files\"")).isEqualTo(8L);
        System.err.println(queryRunner.execute("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => 'small'))"));
        System.err.println(queryRunner.execute("EXPLAIN ALTER TABLE small EXECUTE rewrite_data_files"));
        System.err.println(queryRunner.execute("ALTER TABLE small EXECUTE rewrite_data_files(dry_run => true)"));
        Map<String, Long> metrics = rewrite("small", "");
        System.err.println(metrics);
        assertThat(scalar("SELECT count(*) FROM \"small$files\"")).isEqualTo(1L);
        assertThat(scalar("SELECT count(*) FROM small")).isEqualTo(8L);
        System.err.println(rewrite("small", ""));
        System.err.println(queryRunner.execute("SELECT summary FROM \"small$snapshots\" ORDER BY committed_at DESC LIMIT 1"));
    }

    private Object scalar(String sql)
    {
        return queryRunner.execute(sql).getOnlyValue();
    }

    private Map<String, Long> rewrite(String table, String arguments)
    {
        MaterializedResult result = queryRunner.execute("ALTER TABLE " + table + " EXECUTE rewrite_data_files" + arguments);
        ImmutableMap.Builder<String, Long> metrics = ImmutableMap.builder();
        for (MaterializedRow row : result.getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics.buildOrThrow();
    }
}
