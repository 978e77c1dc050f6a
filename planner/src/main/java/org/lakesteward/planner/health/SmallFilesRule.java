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

import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.ceil;
import static java.lang.Math.max;
import static org.lakesteward.planner.health.FindingKind.SMALL_FILES;
import static org.lakesteward.planner.health.Severity.INFO;

/**
 * Small files matter where a rewrite can merge them, that is, where one partition holds enough of them.
 * <p>
 * Without the manifests, three answers are still sure or good enough:
 * fewer files than a rewrite takes are none of its business;
 * files that are on average as large as those that a rewrite leaves alone are taken for healthy (small ones among very large ones go unseen);
 * and of the files of an unpartitioned table, at most {@code bytes / minimum size} are not small, so all others are.
 * The last is an answer only where a rewrite is certain to act: where it would write fewer files even if each had a quarter of the target size.
 * Closer to the target, what an earlier rewrite left may be the best there is, which shows in the manifests.
 */
final class SmallFilesRule
{
    private static final int CERTAIN_FACTOR = 4;

    private SmallFilesRule() {}

    static Optional<HealthFinding> examine(Examination examination)
    {
        if (!examination.hasSnapshot()) {
            return Optional.empty();
        }
        return examination.observation().details()
                .map(details -> examineDetails(examination, details))
                .orElseGet(() -> examineTotals(examination));
    }

    /**
     * Whether the totals say all that the rule needs.
     */
    static boolean answeredBy(TableObservation observation, HealthThresholds thresholds)
    {
        FileTotals totals = observation.knownTotals();
        if (totals.dataFiles().isEmpty()) {
            return false;
        }
        if (totals.dataFiles().getAsLong() < thresholds.minInputFiles()) {
            return true;
        }
        if (totals.bytes().isEmpty()) {
            return false;
        }
        double minFileBytes = observation.targetFileBytes() * thresholds.minFileSizeRatio();
        if (isLargeOnAverage(totals, minFileBytes)) {
            return true;
        }
        return isCertain(observation, thresholds, totals);
    }

    /**
     * Small files that a rewrite is certain to merge, as far as the totals tell.
     *
     * @return at most as many as there are; empty when only the manifests tell
     */
    static OptionalLong certainSmallFiles(TableObservation observation, HealthThresholds thresholds)
    {
        if (!answeredBy(observation, thresholds)) {
            return OptionalLong.empty();
        }
        FileTotals totals = observation.knownTotals();
        double minFileBytes = observation.targetFileBytes() * thresholds.minFileSizeRatio();
        if (totals.dataFiles().getAsLong() < thresholds.minInputFiles() || isLargeOnAverage(totals, minFileBytes)) {
            return OptionalLong.of(0);
        }
        return OptionalLong.of(smallFilesAtLeast(totals, minFileBytes));
    }

    private static Optional<HealthFinding> examineDetails(Examination examination, FileDetails details)
    {
        Level level = examination.thresholds().smallFiles();
        String median = details.medianFileBytes().stream()
                .mapToObj(bytes -> "; the median file has " + Words.bytes(bytes))
                .findFirst()
                .orElse("");
        String small = "%s of %s are smaller than %s%s.".formatted(
                Words.number(details.smallFiles()),
                Words.count(details.dataFiles(), "data file"),
                Words.bytes(examination.minFileBytes()),
                median);
        Optional<Severity> severity = level.severity(details.rewriteSmallFiles());
        if (severity.isPresent()) {
            return Optional.of(examination.finding(
                    SMALL_FILES,
                    severity.get(),
                    details.rewriteSmallFiles(),
                    level.warning(),
                    "%s A rewrite would merge %s in %s and read %s.".formatted(
                            small,
                            Words.count(details.rewriteFiles(), "file"),
                            Words.count(details.rewriteGroups(), "group"),
                            Words.bytes(details.rewriteBytes())),
                    Remedy.REWRITE_DATA,
                    examination.statements().rewriteSmallFiles()));
        }
        if (level.severity(details.smallFiles()).isPresent()) {
            return Optional.of(examination.withoutStatement(
                    SMALL_FILES,
                    INFO,
                    details.rewriteSmallFiles(),
                    level.warning(),
                    "%s They are spread over %s, with too few in any of them for a rewrite to merge. Partition the table more coarsely if this goes on.".formatted(
                            small,
                            Words.count(details.partitions(), "partition"))));
        }
        return Optional.empty();
    }

    private static Optional<HealthFinding> examineTotals(Examination examination)
    {
        Level level = examination.thresholds().smallFiles();
        FileTotals totals = examination.observation().knownTotals();
        OptionalLong dataFiles = totals.dataFiles();
        if (dataFiles.isPresent() && dataFiles.getAsLong() < examination.thresholds().minInputFiles()) {
            return Optional.empty();
        }
        if (dataFiles.isEmpty() || totals.bytes().isEmpty()) {
            return Optional.of(examination.unknown(SMALL_FILES, level.warning(), "the snapshot summary does not say how many data files there are or how large they are, and the manifests were not read."));
        }
        if (isLargeOnAverage(totals, examination.minFileBytes())) {
            return Optional.empty();
        }
        String average = "%s have %s on average".formatted(
                Words.count(dataFiles.getAsLong(), "data file"),
                Words.bytes((double) totals.bytes().getAsLong() / dataFiles.getAsLong()));
        long smallFiles = smallFilesAtLeast(totals, examination.minFileBytes());
        Optional<Severity> severity = level.severity(smallFiles);
        if (severity.isEmpty() || !isCertain(examination.observation(), examination.thresholds(), totals)) {
            return Optional.of(examination.unknown(SMALL_FILES, level.warning(), average + "; whether a rewrite would merge them shows in the manifests only, which were not read."));
        }
        return Optional.of(examination.finding(
                SMALL_FILES,
                severity.get(),
                smallFiles,
                level.warning(),
                "%s; at least %s of them are smaller than %s.".formatted(average, Words.number(smallFiles), Words.bytes(examination.minFileBytes())),
                Remedy.REWRITE_DATA,
                examination.statements().rewriteSmallFiles()));
    }

    private static boolean isCertain(TableObservation observation, HealthThresholds thresholds, FileTotals totals)
    {
        long smallFiles = smallFilesAtLeast(totals, observation.targetFileBytes() * thresholds.minFileSizeRatio());
        double filesAfter = ceil((double) totals.bytes().getAsLong() * CERTAIN_FACTOR / observation.targetFileBytes());
        return !observation.partitioned() && filesAfter < smallFiles && thresholds.smallFiles().severity(smallFiles).isPresent();
    }

    private static boolean isLargeOnAverage(FileTotals totals, double minFileBytes)
    {
        return totals.bytes().getAsLong() >= minFileBytes * totals.dataFiles().getAsLong();
    }

    private static long smallFilesAtLeast(FileTotals totals, double minFileBytes)
    {
        return max(0, totals.dataFiles().getAsLong() - (long) (totals.bytes().getAsLong() / minFileBytes));
    }
}
