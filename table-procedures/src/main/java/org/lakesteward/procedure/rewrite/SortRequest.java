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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import io.trino.plugin.iceberg.TrinoSortField;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The order that a statement sorts by.
 *
 * @param fields the columns, at least one, all of them top-level and orderable
 * @param sortOrderId what the written files carry; 0 unless the order is the table's own
 * @param tableOrder the order is the table's current one
 * @param zorder the columns are interleaved; their directions mean nothing then
 * @param text the order as {@code sorted_by} would have it, or {@code zorder(…)}
 */
public record SortRequest(List<TrinoSortField> fields, int sortOrderId, boolean tableOrder, boolean zorder, String text)
{
    public SortRequest
    {
        fields = ImmutableList.copyOf(fields);
        checkArgument(!fields.isEmpty(), "fields is empty");
        checkArgument(!zorder || !tableOrder, "z-order as table order");
        requireNonNull(text, "text is null");
    }

    public RewriteStrategy strategy()
    {
        return zorder ? RewriteStrategy.ZORDER : RewriteStrategy.SORT;
    }

    /**
     * Tells orders apart in file names. By field ids, so that it survives a change of column names.
     */
    public String tag()
    {
        String order = fields.stream()
                .map(field -> field.sourceColumnId() + " " + field.sortOrder())
                .collect(joining(", ", zorder ? "zorder " : "", ""));
        return Hashing.murmur3_32_fixed().hashString(order, UTF_8).toString();
    }
}
