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

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.health.TableName;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Which tables there are. Several records may claim one name when a table was replaced and nobody noticed the end of the old one, or when a rename was lost:
 * the one that was seen under the name last holds it.
 *
 * @param tables the tables that are there, in no particular order
 * @param gone records of tables that were dropped or replaced, and may be forgotten once no event about them can be under way any more
 */
public record CurrentTables(List<TableRecord> tables, List<TableRecord> gone)
{
    public CurrentTables
    {
        tables = ImmutableList.copyOf(tables);
        gone = ImmutableList.copyOf(gone);
    }

    public static CurrentTables of(Collection<TableRecord> records)
    {
        Map<TableName, TableRecord> holders = new HashMap<>(records.size() * 4 / 3 + 1);
        ImmutableList.Builder<TableRecord> gone = ImmutableList.builder();
        for (TableRecord record : records) {
            if (record.sighting().dropped()) {
                gone.add(record);
                continue;
            }
            TableRecord other = holders.putIfAbsent(record.name(), record);
            if (other != null) {
                boolean later = isLater(record, other);
                gone.add(later ? other : record);
                if (later) {
                    holders.put(record.name(), record);
                }
            }
        }
        return new CurrentTables(holders.values().stream().collect(toImmutableList()), gone.build());
    }

    private static boolean isLater(TableRecord one, TableRecord other)
    {
        int order = Long.compare(one.sighting().millis(), other.sighting().millis());
        return order > 0 || (order == 0 && one.tableUuid().compareTo(other.tableUuid()) > 0);
    }
}
