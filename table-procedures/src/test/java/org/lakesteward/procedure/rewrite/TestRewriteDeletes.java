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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.DataFile;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteCluster.failure;

/**
 * Deletes of every kind and what a rewrite makes of them.
 */
public class TestRewriteDeletes
{
    private static final String ALL = "(rewrite_all => true)";

    private RewriteCluster cluster;
    private OutsideWriter outside;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        cluster = new RewriteCluster();
        outside = cluster.outside();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        cluster.close();
        cluster = null;
    }

    @Test
    public void testEqualityDeletesOfPartition()
    {
        create("eq_partition", "format_version = 2, partitioning = ARRAY['part']", 6);
        DataFile inFirst = fileOf("eq_partition", "a");
        // deletes id 0 in partition a only, although partition b has one too
        cluster.execute("INSERT INTO eq_partition VALUES ('b', 0, 'b0')");
        outside.deleteEqual("eq_partition", inFirst, "id", 0L, 2L);
        List<Object> before = rows("eq_partition");
        assertThat(before).containsExactlyInAnyOrder("b0", "v1", "v3", "v4", "v5");

        Map<String, Long> metrics = cluster.rewrite("eq_partition", "(rewrite_all => true) WHERE part = 'a'");
        assertThat(metrics).containsEntry("delete_files_removed", 1L).containsEntry("rows_removed_by_deletes", 2L);
        assertThat(outside.deleteFiles("eq_partition")).isEmpty();
        assertThat(rows("eq_partition")).hasSameElementsAs(before).hasSameSizeAs(before);
        assertThat(cluster.unaccountedFiles("eq_partition")).isEmpty();
    }

    private void create(String table, String properties, int inserts)
    {
        cluster.execute("CREATE TABLE %s (part varchar, id bigint, name varchar) WITH (%s)".formatted(table, properties));
        for (int i = 0; i < inserts; i++) {
            cluster.execute("INSERT INTO %s VALUES ('%s', %s, 'v%s')".formatted(table, i % 2 == 0 ? "a" : "b", i, i));
        }
    }

    private DataFile fileOf(String table, String partition)
    {
        return outside.dataFiles(table).stream()
                .filter(file -> file.partition().get(0, String.class).equals(partition))
                .findFirst()
                .orElseThrow();
    }

    private List<Object> rows(String table)
    {
        return cluster.column("SELECT name FROM " + table);
    }
}
