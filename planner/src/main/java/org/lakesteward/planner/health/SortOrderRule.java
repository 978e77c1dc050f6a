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

import static org.lakesteward.planner.health.FindingKind.SORT_ORDER;

/**
 * Files of a sorted table that do not carry its sort order (Iceberg spec, data file field {@code sort_order_id}).
 * A file of another writer may be sorted and not say so.
 */
final class SortOrderRule
{
    private SortOrderRule() {}

    static Optional<HealthFinding> examine(Examination examination)
    {
        TableObservation observation = examination.observation();
        if (!isSubject(observation)) {
            return Optional.empty();
        }
        Level level = examination.thresholds().unsortedBytesShare();
        if (observation.details().isEmpty()) {
            return Optional.of(examination.unknown(SORT_ORDER, level.warning(), "which files are in the table's sort order shows in the manifests only, which were not read."));
        }
        FileDetails details = observation.details().get();
        double share = details.dataBytes() == 0 ? 0 : (double) details.unsortedBytes() / details.dataBytes();
        return level.severity(share).map(severity -> examination.finding(
                SORT_ORDER,
                severity,
                share,
                level.warning(),
                "%s of %s, with %s (%s), do not carry the table's sort order.".formatted(
                        Words.number(details.unsortedFiles()),
                        Words.count(details.dataFiles(), "data file"),
                        Words.bytes(details.unsortedBytes()),
                        Words.percent(share)),
                Remedy.SORT_DATA,
                examination.statements().sortFiles()));
    }

    /**
     * Whether the totals say all that the rule needs.
     */
    static boolean answeredBy(TableObservation observation)
    {
        return !isSubject(observation);
    }

    private static boolean isSubject(TableObservation observation)
    {
        OptionalLong dataFiles = observation.knownTotals().dataFiles();
        return observation.sortOrder() && (dataFiles.isEmpty() || dataFiles.getAsLong() > 0);
    }
}
