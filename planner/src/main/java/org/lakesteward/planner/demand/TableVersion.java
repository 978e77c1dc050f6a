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
package org.lakesteward.planner.demand;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Which of two states of one table is the newer one.
 * <p>
 * The last sequence number of the metadata decides: every snapshot raises it, and rolling back does not lower it (Iceberg spec, "Sequence numbers").
 * Where it ties, as after a change of properties or an expiry, and always in format version 1, the time of the last update in the metadata
 * ({@code last-updated-ms}) decides; it comes from the committer's clock, so of two commits without snapshot by committers with skewed clocks the
 * wrong one may count as newer, until the next snapshot. Where that ties as well, the number in the metadata file's name decides.
 * <p>
 * A table that is restored under its old uuid from an older metadata file has an older version than before: it is known anew only after its record was
 * dropped and forgotten.
 *
 * @param sequenceNumber last sequence number, at least 0
 * @param lastUpdatedMillis time of the last update, milliseconds since 1970; at least 0
 * @param metadataNumber number in the name of the metadata file; -1 when the name has none
 */
public record TableVersion(long sequenceNumber, long lastUpdatedMillis, int metadataNumber)
        implements Comparable<TableVersion>
{
    // 00012-<uuid>.metadata.json, v12.metadata.json, and the same with .gz (Iceberg's BaseMetastoreTableOperations and HadoopTableOperations)
    private static final Pattern FILE_NAME = Pattern.compile("(?:.*/)?(?:v(\\d{1,9})\\.|(\\d{1,9})-)[^/]*metadata\\.json[^/]*");

    private static final Comparator<TableVersion> OLDEST_FIRST = Comparator.comparingLong(TableVersion::sequenceNumber)
            .thenComparingLong(TableVersion::lastUpdatedMillis)
            .thenComparingInt(TableVersion::metadataNumber);

    public TableVersion
    {
        checkArgument(sequenceNumber >= 0, "sequenceNumber is %s: it must not be negative", sequenceNumber);
        checkArgument(lastUpdatedMillis >= 0, "lastUpdatedMillis is %s: it must not be negative", lastUpdatedMillis);
        checkArgument(metadataNumber >= -1, "metadataNumber is %s: it must be at least -1", metadataNumber);
    }

    /**
     * @param metadataLocation location of the metadata file, whose name may carry a number
     */
    public static TableVersion of(long sequenceNumber, long lastUpdatedMillis, String metadataLocation)
    {
        requireNonNull(metadataLocation, "metadataLocation is null");
        Matcher matcher = FILE_NAME.matcher(metadataLocation);
        int number = -1;
        if (matcher.matches()) {
            number = Integer.parseInt(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return new TableVersion(sequenceNumber, lastUpdatedMillis, number);
    }

    @Override
    public int compareTo(TableVersion other)
    {
        return OLDEST_FIRST.compare(this, other);
    }

    public boolean isNewerThan(TableVersion other)
    {
        return compareTo(other) > 0;
    }
}
