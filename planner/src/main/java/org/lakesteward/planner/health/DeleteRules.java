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

import com.google.common.collect.Ordering;

import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.lakesteward.planner.health.FindingKind.DELETED_ROWS;
import static org.lakesteward.planner.health.FindingKind.EQUALITY_DELETES;
import static org.lakesteward.planner.health.FindingKind.POSITION_DELETES;

/**
 * Delete files of both kinds, and the rows that they delete. Format version 1 has none.
 */
final class DeleteRules
{
    private DeleteRules() {}

    static Optional<HealthFinding> positionDeletes(Examination examination)
    {
        if (!mayHaveDeletes(examination)) {
            return Optional.empty();
        }
        FileTotals totals = examination.observation().knownTotals();
        Optional<FileDetails> details = examination.observation().details();
        OptionalLong deleteFiles = details.isPresent() ? OptionalLong.of(details.get().positionDeleteFiles() + details.get().deletionVectors()) : totals.positionDeleteFiles();
        Level level = examination.thresholds().positionDeletesPerDataFile();

        if (deleteFiles.isEmpty()) {
            return Optional.of(examination.unknown(POSITION_DELETES, level.warning(), "the snapshot summary does not say how many delete files delete by position, and the manifests were not read."));
        }
        Optional<Severity> severityByCount = examination.thresholds().positionDeleteFiles().severity(deleteFiles.getAsLong());
        if (severityByCount.isEmpty()) {
            return Optional.empty();
        }
        if (totals.dataFiles().isEmpty()) {
            return Optional.of(examination.unknown(POSITION_DELETES, level.warning(), "the snapshot summary does not say how many data files there are, and the manifests were not read."));
        }
        long dataFiles = totals.dataFiles().getAsLong();
        double ratio = (double) deleteFiles.getAsLong() / max(1, dataFiles);
        String kinds = details
                .filter(known -> known.deletionVectors() > 0)
                .map(known -> "%s and %s".formatted(Words.count(known.positionDeleteFiles(), "position delete file"), Words.count(known.deletionVectors(), "deletion vector")))
                .orElseGet(() -> Words.count(deleteFiles.getAsLong(), "position delete file"));
        // a handful of delete files is never critical, whatever their ratio
        return level.severity(ratio).map(severityByRatio -> examination.finding(
                POSITION_DELETES,
                Ordering.natural().min(severityByCount.get(), severityByRatio),
                ratio,
                level.warning(),
                "%s stand against %s (%s each); a query reads and applies them every time.%s".formatted(kinds, Words.count(dataFiles, "data file"), Words.decimal(ratio), reach(details)),
                Remedy.REWRITE_DATA,
                examination.statements().rewriteFilesWithDeletes()));
    }

    static Optional<HealthFinding> equalityDeletes(Examination examination)
    {
        if (!mayHaveDeletes(examination)) {
            return Optional.empty();
        }
        FileTotals totals = examination.observation().knownTotals();
        Optional<FileDetails> details = examination.observation().details();
        OptionalLong deleteFiles = details.isPresent() ? OptionalLong.of(details.get().equalityDeleteFiles()) : totals.equalityDeleteFiles();
        Level level = examination.thresholds().equalityDeleteFiles();

        boolean exact = deleteFiles.isPresent();
        boolean some = totals.equalityDeleteRows().isPresent() && totals.equalityDeleteRows().getAsLong() > 0;
        if (!exact && !some) {
            return Optional.of(examination.unknown(EQUALITY_DELETES, level.warning(), "the snapshot summary does not say how many equality delete files there are, and the manifests were not read."));
        }
        // rows of equality deletes stand in at least one file
        long atLeast = deleteFiles.orElse(1);
        String rows = totals.equalityDeleteRows().isPresent() ? " with %s".formatted(Words.count(totals.equalityDeleteRows().getAsLong(), "row")) : "";
        return level.severity(atLeast).map(severity -> examination.finding(
                EQUALITY_DELETES,
                severity,
                atLeast,
                level.warning(),
                "%s%s%s must be matched by each query against the rows of older files.%s".formatted(
                        exact ? "" : "At least ",
                        Words.count(atLeast, "equality delete file"),
                        rows,
                        reach(details)),
                Remedy.REWRITE_DATA,
                examination.statements().rewriteFilesWithDeletes()));
    }

    static Optional<HealthFinding> deletedRows(Examination examination)
    {
        if (!mayHaveDeletes(examination)) {
            return Optional.empty();
        }
        FileTotals totals = examination.observation().knownTotals();
        Level level = examination.thresholds().deletedRowsShare();
        if (totals.positionDeleteRows().isPresent() && totals.positionDeleteRows().getAsLong() == 0) {
            return Optional.empty();
        }
        if (totals.positionDeleteRows().isEmpty() || totals.records().isEmpty()) {
            return Optional.of(examination.unknown(DELETED_ROWS, level.warning(), "the snapshot summary does not say how many rows are stored or how many of them are deleted by position, and the manifests were not read."));
        }
        long deleted = totals.positionDeleteRows().getAsLong();
        long records = totals.records().getAsLong();
        // positions may be listed twice, or belong to files that are gone
        double share = records == 0 ? 0 : min(1, (double) deleted / records);
        return level.severity(share).map(severity -> examination.finding(
                DELETED_ROWS,
                severity,
                share,
                level.warning(),
                "Up to %s of %s (%s) are deleted by position, yet still stored and read.%s".formatted(
                        Words.number(deleted),
                        Words.count(records, "stored row"),
                        Words.percent(share),
                        reach(examination.observation().details())),
                Remedy.REWRITE_DATA,
                examination.statements().rewriteFilesWithDeletes()));
    }

    /**
     * Whether the totals say all that the three rules need.
     */
    static boolean answeredBy(TableObservation observation)
    {
        FileTotals totals = observation.knownTotals();
        if (observation.formatVersion() == 1) {
            return true;
        }
        return totals.positionDeleteFiles().isPresent()
                && totals.equalityDeleteFiles().isPresent()
                && totals.positionDeleteRows().isPresent()
                && totals.records().isPresent()
                && totals.dataFiles().isPresent();
    }

    private static boolean mayHaveDeletes(Examination examination)
    {
        return examination.hasSnapshot() && examination.observation().formatVersion() > 1;
    }

    private static String reach(Optional<FileDetails> details)
    {
        return details.map(known -> {
            if (known.filesWithDeletes() == 0) {
                return " None of the delete files applies to a data file any more.";
            }
            return " Deletes apply to %s, %s of them delete-heavy.".formatted(Words.count(known.filesWithDeletes(), "data file"), Words.number(known.deleteHeavyFiles()));
        }).orElse("");
    }
}
