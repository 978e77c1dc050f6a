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
package org.lakesteward.maintenance.policy;

import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.policy.NamePattern;
import org.lakesteward.planner.policy.OperatorPolicies;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPolicyFileReader
{
    @Test
    public void testEverything()
            throws Exception
    {
        assertThat(read(
                """
                {
                  "defaults": {
                    "maintenance.snapshots.max-age": "14d",
                    "maintenance.analyze.changed-rows-ratio": 0.25,
                    "maintenance.orphans.enabled": false
                  },
                  "patterns": [
                    {"catalog": "lake", "properties": {"maintenance.priority": 3}},
                    {"catalog": "Lake", "schema": "sales_*", "table": "orders", "properties": {"maintenance.priority": 8, "maintenance.rewrite.strategy": "sort"}},
                    {"table": "größe", "properties": {}}
                  ]
                }
                """)).isEqualTo(new OperatorPolicies(
                ImmutableMap.of("maintenance.snapshots.max-age", "14d", "maintenance.analyze.changed-rows-ratio", "0.25", "maintenance.orphans.enabled", "false"),
                List.of(
                        new PatternEntries(NamePattern.of("lake", "sales_*", "orders"), ImmutableMap.of("maintenance.priority", "8", "maintenance.rewrite.strategy", "sort")),
                        new PatternEntries(NamePattern.of("*", "*", "größe"), ImmutableMap.of()),
                        new PatternEntries(NamePattern.of("lake", "*", "*"), ImmutableMap.of("maintenance.priority", "3")))));
    }

    @Test
    public void testNothing()
            throws Exception
    {
        assertThat(read("{}")).isEqualTo(OperatorPolicies.NONE);
        assertThat(read("{\"defaults\": {}, \"patterns\": []}")).isEqualTo(OperatorPolicies.NONE);
    }

    /** They are the business of the tables that they are about. */
    @Test
    public void testMistakesInEntriesAreKept()
            throws Exception
    {
        OperatorPolicies policies = read("{\"defaults\": {\"maintenance.priority\": 5.5, \"priority\": true, \"maintenance.priority \": 99999999999999999999}}");
        assertThat(policies.failure()).isEmpty();
        assertThat(policies.defaults()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of("maintenance.priority", "5.5", "priority", "true", "maintenance.priority ", "99999999999999999999"));
        assertThat(policies.problems()).hasSize(3);
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {
                {"", "the file is empty: it must be a JSON object"},
                {" \n", "the file is empty: it must be a JSON object"},
                {"[]", "the file is an array: it must be an object"},
                {"null", "the file is null: it must be an object"},
                {"{\"default\": {}}", "'default' in the file is unknown: there are defaults, patterns"},
                {"{\"grants\": []}", "'grants' in the file is unknown: there are defaults, patterns"},
                {"{\"defaults\": []}", "defaults is an array: it must be an object"},
                {"{\"defaults\": null}", "defaults is null: it must be an object"},
                {"{\"defaults\": {\"maintenance.priority\": null}}", "'maintenance.priority' in defaults is null: it must be a text, a number, true or false"},
                {"{\"defaults\": {\"maintenance.priority\": [5]}}", "'maintenance.priority' in defaults is an array: it must be a text, a number, true or false"},
                {"{\"defaults\": {\"maintenance\": {\"priority\": 5}}}", "'maintenance' in defaults is an object: it must be a text, a number, true or false"},
                {"{\"patterns\": {}}", "patterns is an object: it must be an array"},
                {"{\"patterns\": [\"lake\"]}", "patterns[0] is a text: it must be an object"},
                {"{\"patterns\": [{\"properties\": {}}, {}]}", "patterns[1] has no 'properties'"},
                {"{\"patterns\": [{\"catalogue\": \"lake\", \"properties\": {}}]}", "'catalogue' in patterns[0] is unknown: there are catalog, schema, table, properties"},
                {"{\"patterns\": [{\"schema\": 5, \"properties\": {}}]}", "patterns[0].schema is a number: it must be a name, with * for any number of characters"},
                {"{\"patterns\": [{\"schema\": \"\", \"properties\": {}}]}", "patterns[0].schema is empty: it must be a name, with * for any number of characters"},
                {"{\"patterns\": [{\"properties\": {\"maintenance.priority\": {}}}]}", "'maintenance.priority' in patterns[0].properties is an object: it must be a text, a number, true or false"},
                {"{\"patterns\": [{\"table\": \"a*\", \"properties\": {\"maintenance.priority\": 1}}, {\"table\": \"*b\", \"properties\": {\"maintenance.priority\": 2}}]}",
                        "*.*.*b and *.*.a* match tables in common, are equally specific, and both set [maintenance.priority]: one of them must name more"},
        };
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(String json, String message)
    {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(InvalidPolicyFileException.class)
                .hasMessage(message);
    }

    @DataProvider
    public static Object[][] noJson()
    {
        return new Object[][] {
                {"{\n  \"defaults\": {\"a\": 1,}\n}", "line 2, column "},
                {"{\"defaults\": {", "line 1, column "},
                {"{\"defaults\": {\"a\": 1, \"a\": 2}}", "line 1, column "},
                {"{} {}", "line 1, column "},
                {"{'defaults': {}}", "line 1, column "},
                {"{} // comment", "line 1, column "},
        };
    }

    @Test(dataProvider = "noJson")
    public void testNoJson(String json, String place)
    {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(InvalidPolicyFileException.class)
                .hasMessageStartingWith(place)
                .hasMessageContaining(" is no JSON: ");
    }

    @Test
    public void testOtherEncoding()
    {
        assertThatThrownBy(() -> PolicyFileReader.read("{\"defaults\": {\"größe\": 1}}".getBytes(ISO_8859_1)))
                .isInstanceOf(InvalidPolicyFileException.class)
                .hasMessageContaining("is no JSON: ");
    }

    private static OperatorPolicies read(String json)
            throws InvalidPolicyFileException
    {
        return PolicyFileReader.read(json.getBytes(UTF_8));
    }
}
