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
package org.lakesteward.procedure.copy;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Why a file cannot be copied and has to be encoded instead.
 *
 * @param reason the kind of obstacle, for counting
 * @param sentence one sentence for the user that names the file, the column and the values
 */
public record CopyObstacle(Reason reason, String sentence)
{
    public CopyObstacle
    {
        requireNonNull(reason, "reason is null");
        requireNonNull(sentence, "sentence is null");
    }

    /**
     * The obstacle that a footer which could not be read stands for: such a file is left to the encode path,
     * whose reader may be more lenient or give the engine's own error.
     *
     * @return empty when the exception is an ordinary failure of storage, which says nothing about the file
     */
    public static Optional<CopyObstacle> ofUnreadableFooter(IOException failure)
    {
        return switch (failure) {
            case CorruptParquetException corrupt -> Optional.of(new CopyObstacle(Reason.CORRUPT_FILE, corrupt.getMessage()));
            case UnsupportedParquetException unsupported -> Optional.of(new CopyObstacle(unsupported.reason(), unsupported.getMessage()));
            default -> Optional.empty();
        };
    }

    /**
     * The kinds of obstacle.
     */
    public enum Reason
    {
        /** The footer contradicts itself or the file. */
        CORRUPT_FILE,
        /** The footer or a column is encrypted. */
        ENCRYPTED,
        /** The footer is larger than readers accept. */
        FOOTER_TOO_LARGE,
        /** The footer uses a part of the format that this version does not understand. */
        NOT_UNDERSTOOD,
        /** Columns carry no field ids: the file was imported by name. */
        NO_FIELD_IDS,
        /** A column of the table is not in the file. */
        COLUMN_ADDED,
        /** A column of the file is not in the table any more. */
        COLUMN_DROPPED,
        /** A column has another name in the table. */
        COLUMN_RENAMED,
        /** A column has another type in the table, or a physical form that the table's writer would not use. */
        COLUMN_TYPE,
        /** The file's schema is not that of the output's first file. */
        SCHEMA_DIFFERS,
        /** The file is one of deletes, not of data. */
        DELETE_FILE,
        /** The writer is unknown, or known for files that only its own name lets readers read rightly. */
        UNTRUSTED_WRITER,
        /** The writers of two inputs cannot stand under one name. */
        WRITER_DIFFERS,
        /** Key-value metadata that changes how readers understand values differ. */
        METADATA_DIFFERS,
        /** Row groups are too small to be worth keeping. */
        SMALL_ROW_GROUPS,
        /** More row groups than the format can number. */
        TOO_MANY_ROW_GROUPS,
        /** Format version 3: the file's rows have no ids yet. */
        NO_FIRST_ROW_ID,
        /** Format version 3: row-lineage columns are there, but not for every row or not both. */
        INCOMPLETE_LINEAGE,
        /** The table's format version is not known. */
        FORMAT_VERSION,
    }
}
