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

import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.sort.SortOverlap;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * What the manifests of the current snapshot say, exactly. Numbers are at least zero.
 *
 * @param dataFiles data files
 * @param dataBytes their size
 * @param records rows stored in them, deleted ones included
 * @param smallFiles data files below the size that a rewrite leaves alone
 * @param medianFileBytes median size of a data file; empty without data files
 * @param partitions partitions that hold data files, counted within each partition spec
 * @param filesPerFormat data files of each format, by the format's name
 * @param positionDeleteFiles position delete files, without deletion vectors
 * @param deletionVectors deletion vectors
 * @param equalityDeleteFiles equality delete files
 * @param positionDeleteRows positions in position delete files and deletion vectors
 * @param equalityDeleteRows rows of equality delete files
 * @param filesWithDeletes data files to which at least one delete file applies
 * @param deleteHeavyFiles data files with so many deletes that a rewrite takes them for that reason alone
 * @param rewriteGroups file groups that a rewrite with default arguments would process
 * @param rewriteFiles data files in these groups
 * @param rewriteBytes bytes of these files
 * @param rewriteSmallFiles small files in these groups
 * @param unsortedFiles data files that do not carry the table's sort order; zero for a table without one
 * @param unsortedBytes their size
 * @param overlap how far files overlap by the table's sort order; empty without an order by which Trino can sort
 */
public record FileDetails(
        long dataFiles,
        long dataBytes,
        long records,
        long smallFiles,
        OptionalLong medianFileBytes,
        long partitions,
        Map<String, Long> filesPerFormat,
        long positionDeleteFiles,
        long deletionVectors,
        long equalityDeleteFiles,
        long positionDeleteRows,
        long equalityDeleteRows,
        long filesWithDeletes,
        long deleteHeavyFiles,
        long rewriteGroups,
        long rewriteFiles,
        long rewriteBytes,
        long rewriteSmallFiles,
        long unsortedFiles,
        long unsortedBytes,
        Optional<SortOverlap> overlap)
{
    /**
     * A table without files.
     */
    public static final FileDetails NONE = new FileDetails(0, 0, 0, 0, OptionalLong.empty(), 0, ImmutableMap.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty());

    public FileDetails
    {
        Checks.notNegative("dataFiles", dataFiles);
        Checks.notNegative("dataBytes", dataBytes);
        Checks.notNegative("records", records);
        Checks.notNegative("smallFiles", smallFiles);
        Checks.notNegative("medianFileBytes", medianFileBytes);
        Checks.notNegative("partitions", partitions);
        filesPerFormat = ImmutableMap.copyOf(filesPerFormat);
        Checks.notNegative("positionDeleteFiles", positionDeleteFiles);
        Checks.notNegative("deletionVectors", deletionVectors);
        Checks.notNegative("equalityDeleteFiles", equalityDeleteFiles);
        Checks.notNegative("positionDeleteRows", positionDeleteRows);
        Checks.notNegative("equalityDeleteRows", equalityDeleteRows);
        Checks.notNegative("filesWithDeletes", filesWithDeletes);
        Checks.notNegative("deleteHeavyFiles", deleteHeavyFiles);
        Checks.notNegative("rewriteGroups", rewriteGroups);
        Checks.notNegative("rewriteFiles", rewriteFiles);
        Checks.notNegative("rewriteBytes", rewriteBytes);
        Checks.notNegative("rewriteSmallFiles", rewriteSmallFiles);
        Checks.notNegative("unsortedFiles", unsortedFiles);
        Checks.notNegative("unsortedBytes", unsortedBytes);
        requireNonNull(overlap, "overlap is null");
    }

    /**
     * Delete files and deletion vectors of every kind.
     */
    public long deleteFiles()
    {
        return positionDeleteFiles + deletionVectors + equalityDeleteFiles;
    }

    FileTotals totals()
    {
        return new FileTotals(
                OptionalLong.of(dataFiles),
                OptionalLong.of(dataBytes),
                OptionalLong.of(records),
                OptionalLong.of(deleteFiles()),
                OptionalLong.of(positionDeleteRows),
                OptionalLong.of(equalityDeleteRows));
    }
}
