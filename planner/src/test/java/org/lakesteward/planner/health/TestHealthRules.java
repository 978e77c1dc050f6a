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
package org.lakesteward.planner.health;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.health.ObservationText.NOW;

/**
 * Runs the cases of {@code health-cases.txt}. Each case is a title, the observation in words, a line of dashes, and what the rules say.
 * Run Maven with {@code -Dlakesteward.rewrite-cases=true} to write the answers anew, then read the difference.
 */
public class TestHealthRules
{
    private static final TableName TABLE = new TableName("lake", "sales", "orders");
    private static final HealthThresholds DEFAULTS = HealthThresholds.defaults();
    private static final String CASES = "planner/src/test/resources/org/lakesteward/planner/health/health-cases.txt";

    private record TextCase(String title, String input, String expected)
    {
        @Override
        public String toString()
        {
            return title;
        }
    }

    @DataProvider(name = "cases")
    public Object[][] cases()
            throws IOException
    {
        Path file = Path.of(System.getProperty("lakesteward.root"), CASES);
        List<TextCase> cases = parse(Files.readString(file, UTF_8));
        if (Boolean.getBoolean("lakesteward.rewrite-cases")) {
            cases = cases.stream()
                    .map(textCase -> new TextCase(textCase.title(), textCase.input(), answer(textCase.input())))
                    .collect(toImmutableList());
            Files.writeString(file, cases.stream().map(TestHealthRules::print).collect(joining("\n")), UTF_8);
        }
        return cases.stream()
                .map(textCase -> new Object[] {textCase})
                .toArray(Object[][]::new);
    }

    @Test(dataProvider = "cases")
    public void testCase(TextCase textCase)
    {
        assertThat(answer(textCase.input())).isEqualTo(textCase.expected());
    }

    @Test
    public void testEveryKindAndSeverityHasACase()
            throws IOException
    {
        String text = Files.readString(Path.of(System.getProperty("lakesteward.root"), CASES), UTF_8);
        for (FindingKind kind : FindingKind.values()) {
            assertThat(text).contains("WARNING " + kind);
        }
        for (Severity severity : Severity.values()) {
            assertThat(text).contains(severity + " ");
        }
        for (TableLimit limit : TableLimit.values()) {
            assertThat(text).contains(limit.name()).contains(limit.description());
        }
        for (NeedsDetails.Reason reason : NeedsDetails.Reason.values()) {
            assertThat(text).containsPattern("(?m)^needs details: .*\\b" + reason + "\\b");
        }
    }

    @Test
    public void testStatementNamesOddTables()
    {
        TableObservation observation = ObservationText.parse("files=100 bytes=1GiB records=1000000 statistics=no");
        assertThat(HealthRules.examine(new TableName("lake", "Order \"data\"", "select"), observation, DEFAULTS, NOW))
                .extracting(finding -> finding.statement().orElseThrow())
                .containsExactly(
                        "ALTER TABLE lake.\"Order \"\"data\"\"\".\"select\" EXECUTE rewrite_data_files",
                        "ANALYZE lake.\"Order \"\"data\"\"\".\"select\"");
    }

    @Test
    public void testRetentionFollowsTheThreshold()
    {
        TableObservation observation = ObservationText.parse("snapshots=50 removable=P60D");
        assertThat(expireStatement(observation, Duration.ofDays(30))).endsWith("(retention_threshold => '30d')");
        assertThat(expireStatement(observation, Duration.ofHours(36))).endsWith("(retention_threshold => '36h')");
        assertThat(expireStatement(observation, Duration.ofMinutes(90))).endsWith("(retention_threshold => '90m')");
        assertThat(expireStatement(observation, Duration.ofSeconds(90))).endsWith("(retention_threshold => '90s')");
        assertThat(expireStatement(observation, Duration.ofMillis(1_500))).endsWith("(retention_threshold => '1500ms')");
        assertThat(HealthRules.examine(TABLE, observation, DEFAULTS.withSnapshotMaxAge(Duration.ofDays(60)), NOW)).isEmpty();
    }

    private static String expireStatement(TableObservation observation, Duration maxAge)
    {
        return HealthRules.examine(TABLE, observation, DEFAULTS.withSnapshotMaxAge(maxAge), NOW).getFirst().statement().orElseThrow();
    }

    @Test
    public void testSnapshotFromTheFutureIsNotOld()
    {
        TableObservation observation = ObservationText.parse("snapshots=2 removable=PT-5H");
        assertThat(HealthRules.examine(TABLE, observation, DEFAULTS, NOW)).isEmpty();
        assertThat(HealthRules.examine(TABLE, observation, DEFAULTS, Instant.MIN.plus(Duration.ofDays(1)))).isEmpty();
    }

    @Test
    public void testTextDoesNotDependOnLocale()
    {
        String input = "partitioned=yes files=1000 bytes=1GiB records=1000000 statistics=no d.files=1000 d.bytes=1GiB d.records=1000000 d.small=1000 d.group-small=1000 d.group-files=1000 d.groups=1";
        String expected = answer(input);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(answer(input)).isEqualTo(expected);
        }
        finally {
            Locale.setDefault(before);
        }
    }

    /**
     * Whatever the numbers are, known or not, the rules answer; the order holds; a finding without statement never claims to have one;
     * details that were read leave nothing to ask for.
     */
    @Test
    public void testAnyNumbers()
    {
        long seed = 20260301;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 20_000; run++) {
            String input = randomInput(random);
            TableObservation observation = ObservationText.parse(input);
            List<HealthFinding> findings = HealthRules.examine(TABLE, observation, DEFAULTS, NOW);
            assertThat(findings).as(input).isEqualTo(HealthRules.examine(TABLE, observation, DEFAULTS, NOW));

            List<HealthFinding> sorted = new ArrayList<>(findings);
            sorted.sort((left, right) -> left.severity() != right.severity() ? right.severity().compareTo(left.severity()) : left.kind().compareTo(right.kind()));
            assertThat(findings).as(input).isEqualTo(sorted);
            assertThat(findings).as(input).extracting(HealthFinding::kind).doesNotHaveDuplicates();

            Set<NeedsDetails.Reason> reasons = NeedsDetails.reasons(observation, DEFAULTS);
            if (observation.details().isPresent() || observation.currentSnapshot().isEmpty()) {
                assertThat(reasons).as(input).isEmpty();
            }
            Set<FindingKind> unknown = findings.stream()
                    .filter(finding -> finding.measured().isEmpty())
                    .map(HealthFinding::kind)
                    .collect(toImmutableSet());
            for (HealthFinding finding : findings) {
                if (finding.measured().isEmpty()) {
                    assertThat(finding.severity()).as(input).isEqualTo(Severity.INFO);
                    assertThat(finding.statement()).as(input).isEmpty();
                }
                else if (finding.severity() != Severity.INFO) {
                    assertThat(finding.measured().getAsDouble()).as(input).isGreaterThanOrEqualTo(finding.threshold());
                }
                assertThat(finding.statement().orElse("")).as(input).doesNotContain(";");
            }
            // whatever the manifests could tell and is not judged, is a reason to read them
            if (!Collections.disjoint(unknown, Set.of(FindingKind.SMALL_FILES, FindingKind.POSITION_DELETES, FindingKind.EQUALITY_DELETES, FindingKind.DELETED_ROWS, FindingKind.SORT_ORDER))) {
                assertThat(reasons).as(input).isNotEmpty();
            }
        }
    }

    private static String randomInput(Random random)
    {
        List<String> words = new ArrayList<>();
        String[] optional = {"files", "bytes", "records", "delete-files", "position-rows", "equality-rows", "snapshots-behind", "rows-changed", "metadata"};
        for (String name : optional) {
            if (random.nextBoolean()) {
                words.add(name + "=" + (random.nextInt(4) == 0 ? "?" : randomNumber(random)));
            }
        }
        String[] known = {"manifests", "manifest-bytes", "delete-manifests", "delete-manifest-bytes", "log", "unused-schemas", "snapshots"};
        for (String name : known) {
            if (random.nextInt(3) == 0) {
                words.add(name + "=" + randomNumber(random));
            }
        }
        if (random.nextInt(3) == 0) {
            String[] details = {"d.files", "d.bytes", "d.records", "d.small", "d.median", "d.position-files", "d.vectors", "d.equality-files", "d.position-rows", "d.equality-rows", "d.with-deletes", "d.groups", "d.group-files", "d.group-small", "d.unsorted", "d.unsorted-bytes", "d.depth", "d.deepest", "d.overlapping", "d.overlapping-bytes"};
            for (String name : details) {
                if (random.nextBoolean()) {
                    words.add(name + "=" + randomNumber(random));
                }
            }
        }
        if (random.nextInt(4) == 0) {
            words.add("snapshot=no");
        }
        if (random.nextBoolean()) {
            words.add("partitioned=yes");
        }
        if (random.nextInt(4) == 0) {
            words.add("sorted=yes");
        }
        if (random.nextInt(4) == 0) {
            words.add("removable=P" + random.nextInt(40) + "D");
        }
        if (random.nextInt(4) == 0) {
            words.add("limits=" + TableLimit.values()[random.nextInt(TableLimit.values().length)]);
        }
        words.add("version=" + (1 + random.nextInt(3)));
        return Joiner.on(' ').join(words);
    }

    private static long randomNumber(Random random)
    {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextInt(10);
            case 2 -> random.nextInt(10_000);
            case 3 -> random.nextLong(1L << 40);
            default -> (1L << 60) >> random.nextInt(20);
        };
    }

    private static String answer(String input)
    {
        TableObservation observation = ObservationText.parse(input);
        StringBuilder answer = new StringBuilder();
        Set<NeedsDetails.Reason> reasons = NeedsDetails.reasons(observation, DEFAULTS);
        if (!reasons.isEmpty()) {
            answer.append("needs details: ").append(Joiner.on(", ").join(reasons)).append('\n');
        }
        for (HealthFinding finding : HealthRules.examine(TABLE, observation, DEFAULTS, NOW)) {
            answer.append("%s %s %s of %s, %s\n    %s\n    %s\n".formatted(
                    finding.severity(),
                    finding.kind(),
                    finding.measured().isPresent() ? trim(finding.measured().getAsDouble()) : "unknown",
                    trim(finding.threshold()),
                    finding.kind().unit(),
                    finding.reason(),
                    finding.statement().orElse("(no statement)")));
        }
        return answer.isEmpty() ? "healthy\n" : answer.toString();
    }

    private static String trim(double value)
    {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static List<TextCase> parse(String text)
    {
        List<TextCase> cases = new ArrayList<>();
        for (String block : Splitter.on("\n\n").omitEmptyStrings().split(text)) {
            List<String> lines = block.lines().toList();
            int dashes = lines.indexOf("----");
            assertThat(dashes).as(block).isGreaterThan(1);
            cases.add(new TextCase(
                    lines.getFirst(),
                    String.join("\n", lines.subList(1, dashes)),
                    String.join("\n", lines.subList(dashes + 1, lines.size())) + "\n"));
        }
        assertThat(cases).extracting(TextCase::title).doesNotHaveDuplicates();
        return cases;
    }

    private static String print(TextCase textCase)
    {
        return textCase.title() + "\n" + textCase.input() + "\n----\n" + textCase.expected();
    }
}
