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

import com.google.common.collect.ImmutableList;
import org.lakesteward.benchmarks.InputSize;
import org.lakesteward.benchmarks.RewriteScenarios;
import org.lakesteward.benchmarks.Scenario;
import org.testng.annotations.Test;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPeersOptions
{
    private static final Path PROJECT = Path.of("no/such/folder");

    @Test
    public void testAllJobs()
    {
        PeersOptions options = parse("peers", "--quick");

        assertThat(names(options)).containsExactly(
                "small_files", "medium_files", "position_deletes", "deletion_vectors", "equality_deletes", "tiny_table", "sorted_lineitem");
        assertThat(options.command()).isEqualTo("./lakesteward bench peers --quick");
        assertThat(options.fileName()).isEqualTo("peers-quick");
        assertThat(options.scenarios(PROJECT)).allSatisfy(scenario ->
                assertThat(parse(options.command(scenario).split(" ")[2]).scenarios(PROJECT)).hasSize(1));
    }

    @Test
    public void testOneJob()
    {
        PeersOptions options = parse("peers-deletion-vectors");

        assertThat(names(options)).containsExactly("deletion_vectors");
        assertThat(options.command(options.scenarios(PROJECT).getFirst())).isEqualTo("./lakesteward bench peers-deletion-vectors");
        assertThat(options.fileName()).isEqualTo("peers-deletion-vectors");
    }

    @Test
    public void testSort()
    {
        PeersOptions options = parse("--quick", "sort");

        assertThat(names(options)).containsExactly("sorted_lineitem");
        assertThat(options.command(options.scenarios(PROJECT).getFirst())).isEqualTo("./lakesteward bench sort --quick");
        assertThat(options.fileName()).isEqualTo("sort-quick");
        assertThat(options.scenarios(PROJECT)).isEqualTo(RewriteScenarios.sortedTables(InputSize.MEDIUM, PROJECT));
        assertThat(parse("--quick", "peers-sort").scenarios(PROJECT)).isEqualTo(RewriteScenarios.sortedTables(InputSize.SMALL, PROJECT));
    }

    @Test
    public void testMisuse()
    {
        assertThatThrownBy(() -> parse("peers-none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown benchmark: peers-none; known are peers, sort, peers-small-files, ");
        assertThatThrownBy(() -> parse("peers", "sort")).hasMessage("bench runs one benchmark at a time, found peers and sort");
        assertThatThrownBy(() -> parse("peers", "--fast")).hasMessage("unknown option of bench: --fast; the only one is --quick");
        assertThatThrownBy(() -> parse()).hasMessageStartingWith("bench needs the name of a benchmark");
    }

    private static List<String> names(PeersOptions options)
    {
        return options.scenarios(PROJECT).stream().map(Scenario::name).toList();
    }

    private static PeersOptions parse(String... arguments)
    {
        return PeersOptions.parse(ImmutableList.copyOf(arguments));
    }
}
