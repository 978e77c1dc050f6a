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
package org.lakesteward.stitch;

/**
 * What the rows of a file inherit from its manifest entry (Iceberg specification, "Row lineage").
 *
 * @param firstRowId row id of the file's first row; the others follow one by one
 * @param dataSequenceNumber last-updated sequence number of every row
 */
public record RowLineage(long firstRowId, long dataSequenceNumber)
{
    public RowLineage
    {
        if (firstRowId < 0) {
            throw new IllegalArgumentException("firstRowId is %s, must be at least 0".formatted(firstRowId));
        }
        if (dataSequenceNumber < 0) {
            throw new IllegalArgumentException("dataSequenceNumber is %s, must be at least 0".formatted(dataSequenceNumber));
        }
    }
}
