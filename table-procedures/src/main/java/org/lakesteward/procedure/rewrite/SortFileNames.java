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

import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.LocationProvider;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Names the files of one key range: query id, group, range, and a mark of the order, as in {@code 20261130_101500_00042_abcde-3-17.sorted-1a2b3c4d.parquet}.
 * <p>
 * The coordinator can tell every name that a range may have used, see {@link GroupFileNames}. And a later sort can tell by their names files that one sort by the
 * same order wrote: these have no key in common, which their bounds cannot always show, since Iceberg cuts long ones and has none where there are NaNs.
 * <p>
 * Not thread-safe, as a range is written by one thread at a time.
 */
final class SortFileNames
        implements LocationProvider
{
    private static final long serialVersionUID = 1;
    private static final Pattern NAME = Pattern.compile("(?:.*/)?(?<run>[^/-]+-\\d+)-\\d+(?:_\\d+)?\\.sorted-(?<tag>[0-9a-f]{8})\\.[a-z]+");

    private final LocationProvider delegate;
    private final String queryId;
    private final int groupId;
    private final int range;
    private final String tag;
    private int next;

    SortFileNames(LocationProvider delegate, String queryId, int groupId, int range, String tag)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.queryId = requireNonNull(queryId, "queryId is null");
        this.groupId = groupId;
        this.range = range;
        this.tag = requireNonNull(tag, "tag is null");
    }

    /** What stands for the format in a name, so that the mark comes before it. */
    static String extension(String tag, String formatExtension)
    {
        return "sorted-" + tag + "." + formatExtension;
    }

    /**
     * The sort that wrote the file, if it was one by the order with this mark.
     */
    static Optional<String> run(String path, String tag)
    {
        Matcher matcher = NAME.matcher(path);
        return matcher.matches() && matcher.group("tag").equals(tag) ? Optional.of(matcher.group("run")) : Optional.empty();
    }

    @Override
    public String newDataLocation(String fileName)
    {
        // also asked for the folder of temporary sort files, which is none of ours
        return delegate.newDataLocation(fileName.startsWith(queryId) ? numbered(fileName) : fileName);
    }

    @Override
    public String newDataLocation(PartitionSpec spec, StructLike partition, String fileName)
    {
        return delegate.newDataLocation(spec, partition, numbered(fileName));
    }

    private String numbered(String fileName)
    {
        String extension = extension(tag, fileName.substring(fileName.lastIndexOf('.') + 1));
        int number = next++;
        // several only where a range holds several partitions
        return number == 0
                ? GroupFileNames.fileName(queryId, groupId, range, extension)
                : "%s-%s-%s_%s.%s".formatted(queryId, groupId, range, number, extension);
    }
}
