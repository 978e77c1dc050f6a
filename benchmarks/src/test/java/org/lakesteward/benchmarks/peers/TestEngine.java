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
package org.lakesteward.benchmarks.peers;

import org.lakesteward.benchmarks.InputSize;
import org.lakesteward.benchmarks.RewriteScenarios;
import org.lakesteward.benchmarks.Scenario;
import org.testng.annotations.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

public class TestEngine
{
    @Test
    public void testBinPack()
    {
        Scenario scenario = RewriteScenarios.tinyTable().getFirst();

        assertThat(Engine.OURS.statement("s", "t", scenario)).isEqualTo("ALTER TABLE lake.s.t EXECUTE rewrite_data_files");
        assertThat(Engine.OPTIMIZE.statement("s", "t", scenario)).isEqualTo("ALTER TABLE stock.s.t EXECUTE optimize");
        assertThat(Engine.SPARK.statement("s", "t", scenario)).isEqualTo("CALL lakesteward.system.rewrite_data_files(table => 's.t')");
    }

    @Test
    public void testDeletes()
    {
        Scenario scenario = RewriteScenarios.filesWithDeletes(InputSize.SMALL).getFirst();

        assertThat(Engine.SPARK.statement("s", "t", scenario))
                .isEqualTo("CALL lakesteward.system.rewrite_data_files(table => 's.t', options => map('remove-dangling-deletes', 'true'))");
    }

    @Test
    public void testSort()
    {
        Scenario scenario = RewriteScenarios.sortedTables(InputSize.SMALL, Path.of("no/such/file")).getFirst();

        assertThat(Engine.OURS.statement("s", "t", scenario)).isEqualTo("ALTER TABLE lake.s.t EXECUTE rewrite_data_files(strategy => 'sort')");
        assertThat(Engine.OPTIMIZE.statement("s", "t", scenario)).isEqualTo("ALTER TABLE stock.s.t EXECUTE optimize");
        assertThat(Engine.SPARK.statement("s", "t", scenario)).isEqualTo("CALL lakesteward.system.rewrite_data_files(table => 's.t', strategy => 'sort')");
    }
}
