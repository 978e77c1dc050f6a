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
package org.lakesteward.procedure.stock;

import com.google.common.collect.ImmutableMap;
import io.trino.plugin.hive.HivePlugin;
import io.trino.testing.DistributedQueryRunner;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;

import static java.util.Locale.ENGLISH;

/**
 * The lake connector does what the stock Iceberg connector does: scripts under {@code src/test/resources/stock} give the same results,
 * errors, plans and metadata through both, in one server and on one metastore.
 */
public class TestStockBehaviour
{
    private DistributedQueryRunner queryRunner;
    private StockComparison comparison;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        queryRunner = LakeQueryRunner.create();
        // one split, so that rows come in one order and into one file
        queryRunner.createCatalog("tpch1", "tpch", ImmutableMap.of("tpch.splits-per-node", "1"));
        // add_files_from_table takes files of a Hive table
        queryRunner.installPlugin(new HivePlugin());
        queryRunner.createCatalog("hive", "hive", ImmutableMap.of(
                "hive.metastore", "file",
                "hive.metastore.catalog.dir", "local:///metastore",
                "fs.local.enabled", "true",
                "local.location", LakeQueryRunner.folder(queryRunner).toString()));
        comparison = new StockComparison(queryRunner);
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (queryRunner != null) {
            queryRunner.close();
        }
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        queryRunner = null;
        comparison = null;
    }

    @DataProvider
    public static Iterator<Object> scripts()
    {
        return Stream.concat(
                Stream.of("branches", "evolution", "mixed", "procedures", "properties", "reading", "register", "statistics", "time_travel", "views")
                        .map(Script::load),
                Stream.of(
                        script("formats_v1", "PARQUET", 1),
                        script("formats_v1", "ORC", 1),
                        script("formats", "PARQUET", 2),
                        script("formats", "PARQUET", 3),
                        script("formats", "ORC", 2),
                        script("formats", "AVRO", 3)))
                .map(Object.class::cast)
                .iterator();
    }

    private static Script script(String name, String format, int version)
    {
        return Script.load(name).with(
                "%s_%s_%s".formatted(name, format.toLowerCase(ENGLISH), version),
                Map.of("format", format, "version", Integer.toString(version)));
    }

    @Test(dataProvider = "scripts")
    public void testSameAsStock(Script script)
    {
        comparison.assertSame(script);
    }
}
