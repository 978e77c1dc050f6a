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
package org.lakesteward.planner.rewrite;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The order in which file groups are rewritten, which decides who goes first under {@code max_files_to_rewrite}.
 * The names are those of Iceberg's {@code rewrite-job-order}, in Trino's spelling.
 */
public enum RewriteJobOrder
{
    /** By partition, then by data sequence number within it. */
    NONE((_, _) -> 0),
    /** Groups with the fewest input bytes first. */
    BYTES_ASC(comparingLong(FileGroup::inputBytes)),
    /** Groups with the most input bytes first. */
    BYTES_DESC(comparingLong(FileGroup::inputBytes).reversed()),
    /** Groups with the fewest input files first. */
    FILES_ASC(comparingInt(group -> group.files().size())),
    /** Groups with the most input files first. */
    FILES_DESC(Comparator.<FileGroup>comparingInt(group -> group.files().size()).reversed());

    private final Comparator<FileGroup> comparator;

    RewriteJobOrder(Comparator<FileGroup> comparator)
    {
        this.comparator = requireNonNull(comparator, "comparator is null");
    }

    /**
     * Compares by this order's own measure only: groups that are equal by it keep their place in a stable sort.
     */
    Comparator<FileGroup> comparator()
    {
        return comparator;
    }

    /**
     * Reads the SQL argument {@code rewrite_job_order}. Case does not matter, and a hyphen may stand for an underscore as in Iceberg.
     *
     * @throws InvalidRewriteArgument when the text names no order
     */
    public static RewriteJobOrder parse(String text)
    {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(values())
                .filter(order -> order.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidRewriteArgument(
                        "rewrite_job_order",
                        "'" + text + "'",
                        "one of " + Arrays.stream(values()).map(order -> order.name().toLowerCase(Locale.ROOT).replace('_', '-')).collect(joining(", "))));
    }
}
