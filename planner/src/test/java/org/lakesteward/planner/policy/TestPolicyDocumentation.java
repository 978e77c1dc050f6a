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
package org.lakesteward.planner.policy;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reference of configuration says what the code says.
 */
public class TestPolicyDocumentation
{
    private static final Path REFERENCE = Path.of("..", "docs", "configuration.md");

    @DataProvider
    public static Object[][] entries()
    {
        return PolicyEntry.all().stream().map(entry -> new Object[] {entry}).toArray(Object[][]::new);
    }

    @Test(dataProvider = "entries")
    public void testEntryIsDocumented(PolicyEntry<?> entry)
            throws IOException
    {
        assertThat(Files.readAllLines(REFERENCE)).contains(row(entry));
    }

    @Test
    public void testNothingElseIsDocumented()
            throws IOException
    {
        List<String> rows = Files.readAllLines(REFERENCE).stream()
                .dropWhile(line -> !line.equals("| entry | values | default | meaning |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows).isEqualTo(PolicyEntry.all().stream().map(TestPolicyDocumentation::row).toList());
    }

    private static String row(PolicyEntry<?> entry)
    {
        return "| `%s` | %s | %s | %s |".formatted(
                entry.name(),
                entry.type().range(),
                entry.defaultText().map("`%s`"::formatted).orElse("none"),
                entry.description());
    }
}
