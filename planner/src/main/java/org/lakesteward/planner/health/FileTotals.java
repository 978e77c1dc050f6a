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

import java.util.OptionalLong;

/**
 * What the summary of the current snapshot says about files (Iceberg spec, "Snapshot summary"; all of its keys are optional).
 * Empty is unknown, which is not zero. Numbers are at least zero.
 *
 * @param dataFiles data files ({@code total-data-files})
 * @param bytes bytes of data files and delete files together ({@code total-files-size})
 * @param records rows stored in data files, deleted ones included ({@code total-records})
 * @param deleteFiles delete files and deletion vectors of every kind ({@code total-delete-files})
 * @param positionDeleteRows positions in position delete files and deletion vectors, an upper bound of the rows that they delete ({@code total-position-deletes})
 * @param equalityDeleteRows rows of equality delete files ({@code total-equality-deletes})
 */
public record FileTotals(
        OptionalLong dataFiles,
        OptionalLong bytes,
        OptionalLong records,
        OptionalLong deleteFiles,
        OptionalLong positionDeleteRows,
        OptionalLong equalityDeleteRows)
{
    /**
     * A table that holds no file at all.
     */
    public static final FileTotals NONE = new FileTotals(OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0));

    /**
     * A summary without any total.
     */
    public static final FileTotals UNKNOWN = new FileTotals(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    public FileTotals
    {
        Checks.notNegative("dataFiles", dataFiles);
        Checks.notNegative("bytes", bytes);
        Checks.notNegative("records", records);
        Checks.notNegative("deleteFiles", deleteFiles);
        Checks.notNegative("positionDeleteRows", positionDeleteRows);
        Checks.notNegative("equalityDeleteRows", equalityDeleteRows);
    }

    /**
     * Position delete files and deletion vectors, as far as the summary tells: when both kinds of deletes are present, it does not.
     */
    public OptionalLong positionDeleteFiles()
    {
        if (isZero(deleteFiles) || isZero(positionDeleteRows)) {
            return OptionalLong.of(0);
        }
        return isZero(equalityDeleteRows) ? deleteFiles : OptionalLong.empty();
    }

    /**
     * Equality delete files, as far as the summary tells: when both kinds of deletes are present, it does not.
     */
    public OptionalLong equalityDeleteFiles()
    {
        if (isZero(deleteFiles) || isZero(equalityDeleteRows)) {
            return OptionalLong.of(0);
        }
        return isZero(positionDeleteRows) ? deleteFiles : OptionalLong.empty();
    }

    private static boolean isZero(OptionalLong value)
    {
        return value.isPresent() && value.getAsLong() == 0;
    }
}
