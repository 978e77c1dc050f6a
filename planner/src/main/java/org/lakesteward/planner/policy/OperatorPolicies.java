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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import org.lakesteward.planner.health.TableName;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.policy.NamePattern.BY_SPECIFICITY;

/**
 * What the operator says about many tables at once: the content of the policy file. Entries may be wrong; then the tables that they are
 * about are not maintained. Two patterns never contradict each other: where both match a table, one of them is more specific.
 */
public final class OperatorPolicies
{
    /** The operator says nothing. */
    public static final OperatorPolicies NONE = new OperatorPolicies(ImmutableMap.of(), ImmutableList.of());

    private final Map<String, String> defaults;
    private final List<PatternEntries> patterns;
    private final Optional<String> failure;

    /**
     * @param defaults values by the names of entries, for all tables
     * @throws IllegalArgumentException when two patterns that are equally specific match a table in common and set the same entry
     */
    public OperatorPolicies(Map<String, String> defaults, List<PatternEntries> patterns)
    {
        this(defaults, patterns, Optional.empty());
        checkTies(this.patterns);
    }

    private OperatorPolicies(Map<String, String> defaults, List<PatternEntries> patterns, Optional<String> failure)
    {
        this.defaults = ImmutableSortedMap.copyOf(defaults);
        this.patterns = patterns.stream()
                .sorted(comparing(PatternEntries::pattern, BY_SPECIFICITY.reversed().thenComparing(NamePattern::toString)))
                .collect(toImmutableList());
        this.failure = requireNonNull(failure, "failure is null");
    }

    /**
     * What the operator says could not be read: no table has a policy.
     *
     * @param reason a sentence for people
     */
    public static OperatorPolicies unreadable(String reason)
    {
        return new OperatorPolicies(ImmutableMap.of(), ImmutableList.of(), Optional.of(reason));
    }

    private static void checkTies(List<PatternEntries> patterns)
    {
        for (int i = 0; i < patterns.size(); i++) {
            // equally specific ones stand side by side
            for (int j = i + 1; j < patterns.size() && BY_SPECIFICITY.compare(patterns.get(i).pattern(), patterns.get(j).pattern()) == 0; j++) {
                Set<String> both = Sets.intersection(patterns.get(i).entries().keySet(), patterns.get(j).entries().keySet());
                checkArgument(
                        both.isEmpty() || !patterns.get(i).pattern().intersects(patterns.get(j).pattern()),
                        "%s and %s match tables in common, are equally specific, and both set %s: one of them must name more",
                        patterns.get(i).pattern(),
                        patterns.get(j).pattern(),
                        both);
            }
        }
    }

    /** Sorted by name. */
    public Map<String, String> defaults()
    {
        return defaults;
    }

    /** The most specific first. */
    public List<PatternEntries> patterns()
    {
        return patterns;
    }

    /** Why no table has a policy; empty when they have. */
    public Optional<String> failure()
    {
        return failure;
    }

    /** Those that match, the most specific first. */
    List<PatternEntries> patternsFor(TableName table)
    {
        return patterns.stream()
                .filter(entries -> entries.pattern().matches(table))
                .collect(toImmutableList());
    }

    /** All mistakes, whether or not there is a table that they are about. */
    public List<PolicyProblem> problems()
    {
        ImmutableList.Builder<PolicyProblem> problems = ImmutableList.builder();
        failure.map(PolicyProblem::ofFile).ifPresent(problems::add);
        problems.addAll(PolicyResolver.check(defaults, new PolicySource.Defaults()));
        patterns.forEach(entries -> problems.addAll(PolicyResolver.check(entries.entries(), new PolicySource.Pattern(entries.pattern()))));
        return problems.build();
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof OperatorPolicies other && defaults.equals(other.defaults) && patterns.equals(other.patterns) && failure.equals(other.failure);
    }

    @Override
    public int hashCode()
    {
        return 31 * (31 * defaults.hashCode() + patterns.hashCode()) + failure.hashCode();
    }

    @Override
    public String toString()
    {
        return failure.map("unreadable: %s"::formatted).orElseGet(() -> "defaults %s, patterns %s".formatted(defaults, patterns));
    }

    /**
     * What holds for the tables that match a pattern.
     *
     * @param entries values by the names of entries
     */
    public record PatternEntries(NamePattern pattern, Map<String, String> entries)
    {
        public PatternEntries
        {
            requireNonNull(pattern, "pattern is null");
            entries = ImmutableSortedMap.copyOf(entries);
        }
    }
}
