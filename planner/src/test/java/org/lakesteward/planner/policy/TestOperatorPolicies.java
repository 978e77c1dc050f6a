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

import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestOperatorPolicies
{
    private static final Map<String, String> PRIORITY = ImmutableMap.of("maintenance.priority", "7");

    @Test
    public void testOrderOfPatterns()
    {
        List<NamePattern> sorted = List.of(
                NamePattern.of("lake", "sales", "orders"),
                NamePattern.of("*", "sales", "orders"),
                NamePattern.of("*", "*", "orders"),
                NamePattern.of("*", "*", "orders_*"),
                NamePattern.of("*", "*", "o*"),
                NamePattern.of("*", "sales", "*"),
                NamePattern.of("lake", "s*", "*"),
                NamePattern.of("*", "s*", "*"),
                NamePattern.of("lake", "*", "*"),
                NamePattern.of("l*", "*", "*"),
                NamePattern.of("*", "*", "*"));

        OperatorPolicies policies = new OperatorPolicies(
                ImmutableMap.of(),
                sorted.reversed().stream().map(pattern -> new PatternEntries(pattern, PRIORITY)).toList());

        assertThat(policies.patterns()).extracting(PatternEntries::pattern).isEqualTo(sorted);
    }

    @DataProvider
    public static Object[][] ties()
    {
        return new Object[][] {
                {NamePattern.of("lake", "sales", "a*"), NamePattern.of("lake", "sales", "*b")},
                {NamePattern.of("lake", "sales", "a*"), NamePattern.of("LAKE", "sales", "A**")},
                {NamePattern.of("lake", "x*", "*"), NamePattern.of("lake", "*x", "*")},
                {NamePattern.of("l*", "*", "*"), NamePattern.of("*e", "*", "*")},
                {NamePattern.of("*", "*", "*"), NamePattern.of("*", "*", "*")},
        };
    }

    @Test(dataProvider = "ties")
    public void testTiesAreRefused(NamePattern left, NamePattern right)
    {
        assertThatThrownBy(() -> new OperatorPolicies(ImmutableMap.of(), List.of(
                new PatternEntries(left, PRIORITY),
                new PatternEntries(NamePattern.of("other", "other", "other"), PRIORITY),
                new PatternEntries(right, PRIORITY))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "%s and %s match tables in common, are equally specific, and both set [maintenance.priority]: one of them must name more",
                        Stream.of(left, right).map(NamePattern::toString).sorted().toArray());
    }

    @DataProvider
    public static Object[][] noTies()
    {
        return new Object[][] {
                // equally specific, without a table in common
                {NamePattern.of("lake", "sales", "a*"), NamePattern.of("lake", "sales", "b*")},
                {NamePattern.of("lake", "sales", "orders"), NamePattern.of("lake", "sales", "parts")},
                {NamePattern.of("lake", "sales", "a*"), NamePattern.of("lake", "hr", "*b")},
                // one is more specific
                {NamePattern.of("lake", "sales", "a*"), NamePattern.of("lake", "sales", "*bc")},
                {NamePattern.of("lake", "*", "a*"), NamePattern.of("*", "sales", "*b")},
        };
    }

    @Test(dataProvider = "noTies")
    public void testNoTies(NamePattern left, NamePattern right)
    {
        assertThat(new OperatorPolicies(ImmutableMap.of(), List.of(new PatternEntries(left, PRIORITY), new PatternEntries(right, PRIORITY))).patterns()).hasSize(2);
    }

    @Test
    public void testPatternsThatSetDifferentEntriesDoNotTie()
    {
        assertThat(new OperatorPolicies(ImmutableMap.of(), List.of(
                new PatternEntries(NamePattern.of("lake", "sales", "a*"), PRIORITY),
                new PatternEntries(NamePattern.of("lake", "sales", "*b"), ImmutableMap.of("maintenance.orphans.min-age", "9d")))).patterns()).hasSize(2);
    }

    @Test
    public void testProblems()
    {
        OperatorPolicies policies = new OperatorPolicies(
                ImmutableMap.of("maintenance.priority", "11", "maintenance.analyze.enabled", "false"),
                List.of(new PatternEntries(NamePattern.of("lake", "*", "*"), ImmutableMap.of("maintenance.enabled", "true", "maintenance.priorty", "3"))));

        assertThat(policies.problems()).extracting(PolicyProblem::reason).containsExactly(
                "maintenance.priority is '11' in the defaults of the policy file: it must be a whole number from 1 to 10",
                "maintenance.enabled is set for lake.*.* in the policy file: it is the owner's, and can only be a property of the table",
                "'maintenance.priorty' is set for lake.*.* in the policy file: there is no entry of that name");
        assertThat(OperatorPolicies.NONE.problems()).isEmpty();
        assertThat(OperatorPolicies.unreadable("it is no JSON").problems()).extracting(PolicyProblem::reason)
                .containsExactly("The policy file cannot be followed: it is no JSON");
    }
}
