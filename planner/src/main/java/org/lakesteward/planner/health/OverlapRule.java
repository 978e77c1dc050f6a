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

import org.lakesteward.planner.sort.SortOverlap;

import java.util.Optional;

import static org.lakesteward.planner.health.FindingKind.OVERLAPPING_FILES;

/**
 * Files of a sorted table that overlap, so that a query for a key reads several of them. A sort pays when it would take as many files as are worth a rewrite of
 * small ones, or as many bytes as a file should have. {@link SortOrderRule} tells what is not judged before manifests are read.
 */
final class OverlapRule
{
    private OverlapRule() {}

    static Optional<HealthFinding> examine(Examination examination)
    {
        TableObservation observation = examination.observation();
        Optional<SortOverlap> overlap = observation.details().flatMap(FileDetails::overlap);
        if (overlap.isEmpty() || !pays(overlap.get(), examination)) {
            return Optional.empty();
        }
        SortOverlap measured = overlap.get();
        Level level = examination.thresholds().overlapDepth();
        return level.severity(measured.depth()).map(severity -> examination.finding(
                OVERLAPPING_FILES,
                severity,
                measured.depth(),
                level.warning(),
                "A key of the table's sort order may be in %s files on average, in %s at most. A sort would rewrite %s, %s.".formatted(
                        Words.decimal(measured.depth()),
                        Words.number(measured.deepest()),
                        Words.count(measured.files(), "data file"),
                        Words.bytes(measured.bytes())),
                Remedy.SORT_DATA,
                examination.statements().sortFiles()));
    }

    private static boolean pays(SortOverlap overlap, Examination examination)
    {
        return overlap.files() >= examination.thresholds().minInputFiles() || (overlap.files() > 0 && overlap.bytes() >= examination.observation().targetFileBytes());
    }
}
