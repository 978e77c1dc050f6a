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
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.lakesteward.planner.policy.ResolvedPolicy.Effective;
import org.lakesteward.planner.policy.ResolvedPolicy.Invalid;
import org.lakesteward.planner.policy.ResolvedPolicy.Setting;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds of every policy, on random files and tables. The seed of a failing run is part of the failure's text.
 */
public class TestPolicyResolverProperties
{
    private static final long FIRST_SEED = 20_261_130;
    private static final int RUNS = 20_000;

    private static final List<String> GOOD = List.of(
            "maintenance.priority=1", "maintenance.priority=9",
            "maintenance.orphans.min-age=2d", "maintenance.orphans.min-age=40d",
            "maintenance.rewrite.strategy=sort", "maintenance.rewrite.strategy=binpack",
            "maintenance.analyze.enabled=false", "maintenance.snapshots.min-count=3");
    private static final List<String> BAD = List.of(
            "maintenance.priority=0", "maintenance.orphans.min-age=1h", "maintenance.rewrite.strategy=fast", "maintenance.unknown=1");

    /** A reference that looks at every pattern: the winner of an entry is not beaten by any other place that sets it. */
    @Test
    public void testEachEntryComesFromTheBestPlace()
    {
        int fromPatterns = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Input input = new Input(seed, 0);
            ResolvedPolicy policy = PolicyResolver.resolve(input.operator, input.table, input.properties);
            assertThat(policy).as("seed %s", seed).isInstanceOf(Effective.class);
            for (Map.Entry<PolicyEntry<?>, Setting> setting : ((Effective) policy).settings().entrySet()) {
                String name = setting.getKey().name();
                List<PatternEntries> places = input.patterns.stream()
                        .filter(pattern -> pattern.pattern().matches(input.table) && pattern.entries().containsKey(name))
                        .toList();
                switch (setting.getValue().source()) {
                    case PolicySource.Table _ -> assertThat(setting.getValue().value()).as("%s, seed %s", name, seed).hasValue(input.properties.get(name));
                    case PolicySource.Pattern(NamePattern winner) -> {
                        fromPatterns++;
                        assertThat(input.properties).as("%s, seed %s", name, seed).doesNotContainKey(name);
                        assertThat(places).as("%s, seed %s", name, seed).anySatisfy(pattern -> {
                            assertThat(pattern.pattern()).isEqualTo(winner);
                            assertThat(setting.getValue().value()).hasValue(pattern.entries().get(name));
                        });
                        assertThat(places).as("%s, seed %s", name, seed).allSatisfy(pattern -> assertThat(
                                pattern.pattern().equals(winner) || NamePattern.BY_SPECIFICITY.compare(pattern.pattern(), winner) < 0).isTrue());
                    }
                    case PolicySource.Defaults _ -> {
                        assertThat(input.properties).as("%s, seed %s", name, seed).doesNotContainKey(name);
                        assertThat(places).as("%s, seed %s", name, seed).isEmpty();
                        assertThat(setting.getValue().value()).as("%s, seed %s", name, seed).hasValue(input.defaults.get(name));
                    }
                    case PolicySource.BuiltIn _ -> {
                        assertThat(input.properties).as("%s, seed %s", name, seed).doesNotContainKey(name);
                        assertThat(places).as("%s, seed %s", name, seed).isEmpty();
                        assertThat(input.defaults).as("%s, seed %s", name, seed).doesNotContainKey(name);
                        assertThat(setting.getValue().value()).as("%s, seed %s", name, seed).isEqualTo(setting.getKey().defaultText());
                    }
                    case PolicySource.File _ -> throw new AssertionError("seed " + seed);
                }
            }
        }
        assertThat(fromPatterns).isGreaterThan(RUNS / 10);
    }

    @Test
    public void testOrderOfTheFileDoesNotMatter()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Input input = new Input(seed, 0.1);
            List<PatternEntries> shuffled = new ArrayList<>(input.patterns);
            Collections.shuffle(shuffled, new Random(seed));
            OperatorPolicies other = new OperatorPolicies(input.defaults, shuffled);
            assertThat(strings(PolicyResolver.resolve(other, input.table, input.properties)))
                    .as("seed %s", seed)
                    .isEqualTo(strings(PolicyResolver.resolve(input.operator, input.table, input.properties)));
        }
    }

    private static Object strings(ResolvedPolicy policy)
    {
        return switch (policy) {
            case Effective effective -> effective;
            // problems of equal patterns with different entries may change places
            case Invalid invalid -> invalid.problems().stream().map(PolicyProblem::toString).sorted().toList();
        };
    }

    /** A policy is invalid exactly when a mistake is set in a place that is about the table. */
    @Test
    public void testNoMistakeIsPassedOver()
    {
        int invalid = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Input input = new Input(seed, 0.1);
            List<String> about = new ArrayList<>();
            input.properties.forEach((name, value) -> about.add(name + "=" + value));
            input.defaults.forEach((name, value) -> about.add(name + "=" + value));
            input.patterns.stream()
                    .filter(pattern -> pattern.pattern().matches(input.table))
                    .forEach(pattern -> pattern.entries().forEach((name, value) -> about.add(name + "=" + value)));
            long mistakes = about.stream().filter(BAD::contains).count();
            ResolvedPolicy policy = PolicyResolver.resolve(input.operator, input.table, input.properties);
            if (mistakes == 0) {
                assertThat(policy).as("seed %s", seed).isInstanceOf(Effective.class);
            }
            else {
                invalid++;
                assertThat(policy).as("seed %s", seed).isInstanceOf(Invalid.class);
                assertThat(((Invalid) policy).problems()).as("seed %s", seed).hasSize((int) mistakes);
            }
        }
        assertThat(invalid).isBetween(RUNS / 20, RUNS * 19 / 20);
    }

    /** A table and a file without ties. */
    private static class Input
    {
        private final TableName table;
        private final Map<String, String> properties;
        private final Map<String, String> defaults;
        private final List<PatternEntries> patterns = new ArrayList<>();
        private final OperatorPolicies operator;

        Input(long seed, double mistakes)
        {
            Random random = new Random(seed);
            table = new TableName(name(random), name(random), name(random));
            properties = entries(random, mistakes);
            defaults = entries(random, mistakes);
            OperatorPolicies last = new OperatorPolicies(defaults, patterns);
            for (int i = random.nextInt(8); i > 0; i--) {
                patterns.add(new PatternEntries(NamePattern.of(glob(random), glob(random), glob(random)), entries(random, mistakes)));
                Optional<OperatorPolicies> next = policies();
                if (next.isEmpty()) {
                    patterns.removeLast();
                }
                last = next.orElse(last);
            }
            operator = last;
        }

        private Optional<OperatorPolicies> policies()
        {
            try {
                return Optional.of(new OperatorPolicies(defaults, patterns));
            }
            catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        private static String name(Random random)
        {
            return List.of("a", "b", "ab").get(random.nextInt(3));
        }

        private static String glob(Random random)
        {
            return List.of("*", "*", "a*", "*b", "a*b", "a", "b", "ab").get(random.nextInt(8));
        }

        private static Map<String, String> entries(Random random, double mistakes)
        {
            Map<String, String> entries = new HashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                List<String> from = random.nextDouble() < mistakes ? BAD : GOOD;
                String[] entry = from.get(random.nextInt(from.size())).split("=");
                entries.put(entry[0], entry[1]);
            }
            return ImmutableMap.copyOf(entries);
        }
    }
}
