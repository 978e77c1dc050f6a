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

/**
 * What the rows of a file inherit from its manifest entry in Iceberg format version 3 (section "Row Lineage" of the Iceberg
 * specification): the row at position {@code i} of the file has the id {@code firstRowId + i}, and was last updated by the
 * file's own sequence number.
 *
 * @param firstRowId the {@code first_row_id} of the manifest entry
 * @param dataSequenceNumber the data sequence number of the manifest entry, which Trino's readers give to
 *         {@code $last_updated_sequence_number} (IcebergPageSourceProvider)
 */
public record RowLineage(long firstRowId, long dataSequenceNumber)
{
    /**
     * @param rowInFile position of a row in the file, from 0
     * @throws ArithmeticException when the id does not fit in a long
     */
    long rowId(long rowInFile)
    {
        return Math.addExact(firstRowId, rowInFile);
    }
}
