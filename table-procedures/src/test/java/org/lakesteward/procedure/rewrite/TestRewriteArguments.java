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

import io.trino.Session;
import org.lakesteward.procedure.rewrite.RewriteTester.Refusal;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import static io.trino.spi.ErrorType.USER_ERROR;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.EXECUTE_TABLE_PROCEDURE;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteTester.rewriteSql;

/**
 * Bad input of rewrite_data_files and plan_rewrite: one clear sentence, an error code of ours or Trino's, and the table as it was.
 */
public class TestRewriteArguments
{
    private RewriteTester tester;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        tester = RewriteTester.create();
        tester.execute("CREATE TABLE t (id bigint, p varchar) WITH (partitioning = ARRAY['p'])");
        for (int i = 0; i < 5; i++) {
            tester.execute("INSERT INTO t VALUES (%s, 'a')".formatted(i));
        }
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (tester != null) {
            tester.close();
        }
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        tester = null;
    }

    @Test
    public void testRanges()
    {
        invalid("target_file_size => '1kB'", "target_file_size", "1kB", "at least 1MB");
        invalid("target_file_size => '0B'", "target_file_size", "0B", "at least 1MB");
        invalid("min_file_size => '0B'", "min_file_size", "0B", "greater than 0B");
        invalid("max_file_size => '0B'", "max_file_size", "0B", "greater than 0B");
        invalid("min_file_size => '20MB', max_file_size => '10MB', target_file_size => '10MB'", "min_file_size", "20MB", "10MB");
        invalid("target_file_size => '10MB', max_file_size => '5MB'", "max_file_size", "5MB", "10MB");
        invalid("min_input_files => 0", "min_input_files", "0", "at least 1");
        invalid("min_input_files => -3", "min_input_files", "-3", "at least 1");
        invalid("max_file_group_size => '1kB'", "max_file_group_size", "1kB", "at least");
        invalid("delete_file_threshold => 0", "delete_file_threshold", "0", "at least 1");
        invalid("delete_ratio_threshold => 0e0", "delete_ratio_threshold", "0.0", "greater than 0");
        invalid("delete_ratio_threshold => 1.5e0", "delete_ratio_threshold", "1.5", "at most 1");
        invalid("delete_ratio_threshold => nan()", "delete_ratio_threshold", "NaN", "at most 1");
        invalid("rewrite_job_order => 'biggest'", "rewrite_job_order", "biggest", "bytes-asc");
        invalid("max_files_to_rewrite => 0", "max_files_to_rewrite", "0", "at least 1");
        invalid("output_spec_id => 7", "output_spec_id", "7", "[0]");
        invalid("output_spec_id => -1", "output_spec_id", "-1", "[0]");
        invalid("strategy => 'quick'", "strategy", "quick", "binpack");
        Refusal onConflict = tester.refused("t", rewriteSql("t", "(on_conflict => 'retry')"));
        assertThat(onConflict.errorCode()).isEqualTo("INVALID_MAINTENANCE_ARGUMENT");
        assertThat(onConflict.message()).contains("on_conflict", "retry", "skip_group");
    }

    @Test
    public void testSortOrder()
    {
        invalid("strategy => 'sort'", "sort_order", "the table has no sort order of its own");
        invalid("sort_order => ARRAY['id']", "sort_order", "'binpack'");
        invalid("strategy => 'sort', sort_order => ARRAY[]", "sort_order", "empty", "one column or more");
        invalid("strategy => 'sort', sort_order => ARRAY['id', NULL]", "sort_order", "null");
        invalid("strategy => 'sort', sort_order => ARRAY['nope']", "sort_order", "nope", "columns of the table");
        invalid("strategy => 'sort', sort_order => ARRAY['id', 'id DESC']", "sort_order", "'id', 'id DESC'", "different columns");
        invalid("strategy => 'sort', sort_order => ARRAY['id UPWARDS']", "sort_order", "id UPWARDS", "ASC or DESC");
        invalid("strategy => 'sort', sort_order => ARRAY['id; DROP TABLE t']", "sort_order", "ASC or DESC");
        invalid("strategy => 'sort', sort_order => ARRAY['bucket(id, 4)']", "sort_order", "bucket");
        invalid("strategy => 'sort', sort_order => ARRAY['id'], max_file_group_size => '1GB'", "max_file_group_size", "'sort'");
        tester.execute("CREATE TABLE shapes (r row(x bigint), m map(varchar, bigint), a array(bigint), id bigint)");
        for (String[] refused : new String[][] {{"\"r.x\"", "not nested"}, {"m", "have an order"}, {"a", "have an order"}, {"r", "have an order"}}) {
            Refusal refusal = tester.refused("shapes", rewriteSql("shapes", "(strategy => 'sort', sort_order => ARRAY['%s'])".formatted(refused[0])));
            assertThat(refusal.errorCode()).as(refusal.message()).isEqualTo("INVALID_MAINTENANCE_ARGUMENT");
            assertThat(refusal.message()).contains("sort_order", refused[0], refused[1]);
        }
    }

    @Test
    public void testZOrder()
    {
        invalid("strategy => 'zorder'", "sort_order", "absent", "2 to 6 columns");
        invalid("strategy => 'zorder', sort_order => ARRAY['id']", "sort_order", "'id'", "2 to 6 columns");
        invalid("strategy => 'zorder', sort_order => ARRAY['a', 'b', 'c', 'd', 'e', 'f', 'g']", "sort_order", "2 to 6 columns");
        invalid("strategy => 'zorder', sort_order => ARRAY['id', 'p DESC']", "sort_order", "p DESC", "without ASC, DESC");
        invalid("strategy => 'zorder', sort_order => ARRAY['id', 'p ASC NULLS LAST']", "sort_order", "p ASC NULLS LAST", "without ASC, DESC");
        invalid("strategy => 'zorder', sort_order => ARRAY['id', 'id']", "sort_order", "different columns");
        invalid("strategy => 'zorder', sort_order => ARRAY['id', NULL]", "sort_order", "null");
        invalid("strategy => 'zorder', sort_order => ARRAY['id', 'nope']", "sort_order", "nope", "columns of the table");
        // the notation of Iceberg's procedure
        invalid("strategy => 'sort', sort_order => ARRAY['zorder()']", "sort_order", "empty", "2 to 6 columns");
        invalid("strategy => 'sort', sort_order => ARRAY['ZOrder (id)']", "sort_order", "'id'", "2 to 6 columns");
        invalid("strategy => 'sort', sort_order => ARRAY['zorder(id, nope)']", "sort_order", "nope", "columns of the table");
        invalid("strategy => 'sort', sort_order => ARRAY['zorder(id, )']", "sort_order", "''", "each with ASC or DESC");
        invalid("strategy => 'sort', sort_order => ARRAY['zorder(id, p,)']", "sort_order", "''", "each with ASC or DESC");
        invalid("strategy => 'sort', sort_order => ARRAY['zorder(id, p)', 'id']", "sort_order", "zorder(id, p)");
    }

    @Test
    public void testSortedWritingDisabled()
    {
        Session disabled = Session.builder(tester.queryRunner().getDefaultSession())
                .setCatalogSessionProperty("lake", "sorted_writing_enabled", "false")
                .build();
        Refusal refusal = tester.refused(disabled, "t", rewriteSql("t", "(strategy => 'sort', sort_order => ARRAY['id'])"));
        assertThat(refusal.errorCode()).isEqualTo("INVALID_MAINTENANCE_ARGUMENT");
        assertThat(refusal.message()).contains("strategy", "sorted_writing_enabled is false");
    }

    /** The same argument, the same words, in both forms. */
    private void invalid(String argument, String... words)
    {
        for (String sql : new String[] {rewriteSql("t", "(%s)".formatted(argument)), plan("t", ", " + argument)}) {
            Refusal refusal = tester.refused("t", sql);
            assertThat(refusal.errorCode()).as("%s: %s", sql, refusal.message()).isEqualTo("INVALID_MAINTENANCE_ARGUMENT");
            assertThat(refusal.message()).as(sql).contains(words).doesNotContain("\n");
        }
    }

    @Test
    public void testTypesAndNames()
    {
        engineRefuses(rewriteSql("t", "(no_such_argument => 1)"), "no_such_argument");
        engineRefuses(rewriteSql("t", "(target_file_size => 5)"), "target_file_size");
        engineRefuses(rewriteSql("t", "(target_file_size => 'large')"), "target_file_size");
        engineRefuses(rewriteSql("t", "(target_file_size => '-5MB')"), "target_file_size");
        engineRefuses(rewriteSql("t", "(min_input_files => 'many')"), "min_input_files");
        engineRefuses(rewriteSql("t", "(min_input_files => 10000000000)"), "min_input_files");
        engineRefuses(rewriteSql("t", "(rewrite_all => 'perhaps')"), "rewrite_all");
        engineRefuses(rewriteSql("t", "(dry_run => NULL)"), "dry_run");
        engineRefuses(rewriteSql("t", "(target_file_size => NULL)"), "target_file_size");
        engineRefuses(rewriteSql("t", "(strategy => NULL)"), "strategy");
        engineRefuses(rewriteSql("t", "(min_input_files => 5, min_input_files => 6)"), "min_input_files");
        engineRefuses(plan("t", ", no_such_argument => 1"), "NO_SUCH_ARGUMENT");
        engineRefuses(plan("t", ", dry_run => true"), "DRY_RUN");
        engineRefuses(plan("t", ", min_input_files => 'many'"), "integer");
        engineRefuses("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test'))", "TABLE_NAME");
        engineRefuses("SELECT * FROM TABLE(lake.system.plan_rewrite(table_name => 't'))", "SCHEMA_NAME");
        engineRefuses("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => NULL))", "table_name");
        engineRefuses("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => ''))", "table");
        engineRefuses(plan("t", ", target_file_size => 'large'"), "target_file_size");
        // a null argument of the function is one that was not given
        tester.execute(plan("t", ", target_file_size => NULL, rewrite_all => NULL"));
    }

    private void engineRefuses(String sql, String word)
    {
        Refusal refusal = tester.refused("t", sql);
        assertThat(refusal.errorType()).as("%s: %s", sql, refusal).isEqualTo(USER_ERROR);
        assertThat(refusal.message()).as(sql).containsIgnoringCase(word).doesNotContain("Exception", "null pointer");
    }

    @Test
    public void testNotATable()
    {
        tester.execute("CREATE VIEW v AS SELECT * FROM t");
        tester.execute("CREATE MATERIALIZED VIEW mv AS SELECT * FROM t");
        engineRefuses(rewriteSql("v", ""), "view");
        engineRefuses(rewriteSql("mv", ""), "view");
        engineRefuses(rewriteSql("\"t$files\"", ""), "table");
        engineRefuses(rewriteSql("\"t$partitions\"", ""), "table");
        engineRefuses(rewriteSql("missing", ""), "missing");
        engineRefuses(rewriteSql("missing_schema.t", ""), "missing_schema");
        engineRefuses(plan("v", ""), "v");
        engineRefuses(plan("mv", ""), "mv");
        engineRefuses(plan("missing", ""), "missing");
        engineRefuses(plan("t$files", ""), "t$files");
        engineRefuses("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'missing_schema', table_name => 't'))", "missing_schema");
    }

    @Test
    public void testNamesInCapitals()
    {
        assertThat(tester.execute("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'TEST', table_name => 'T'))").getRowCount()).isEqualTo(1);
    }

    @Test
    public void testPrivileges()
    {
        tester.queryRunner().getAccessControl().deny(privilege("lake.test.t.REWRITE_DATA_FILES", EXECUTE_TABLE_PROCEDURE));
        try {
            Refusal refusal = tester.refused("t", rewriteSql("t", ""));
            assertThat(refusal.errorCode()).isEqualTo("PERMISSION_DENIED");
        }
        finally {
            tester.queryRunner().getAccessControl().reset();
        }
        tester.queryRunner().getAccessControl().deny(privilege("t.id", SELECT_COLUMN));
        try {
            Refusal refusal = tester.failure(tester.queryRunner().getDefaultSession(), plan("t", ""));
            assertThat(refusal.errorCode()).isEqualTo("PERMISSION_DENIED");
        }
        finally {
            tester.queryRunner().getAccessControl().reset();
        }
    }

    @Test
    public void testRetryPolicy()
    {
        Session session = tester.session("retry_policy", "QUERY");
        Refusal refusal = tester.refused(session, "t", rewriteSql("t", ""));
        assertThat(refusal.errorCode()).isEqualTo("MAINTENANCE_NOT_SUPPORTED");
        assertThat(refusal.message()).contains("retry_policy");
    }

    private static String plan(String table, String arguments)
    {
        return "SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => '%s'%s))".formatted(table, arguments);
    }
}
