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

import java.util.List;

/**
 * What the writers of a sort report: ranges that are written, and files that were read for them.
 */
public record SortFragment(List<WrittenRange> ranges, List<FilePass> files)
{
    public SortFragment
    {
        ranges = ImmutableList.copyOf(ranges);
        files = ImmutableList.copyOf(files);
    }

    /**
     * @param rows that the range received, as many as its readers say that they sent
     * @param commitTasks one JSON text a written file, as Trino's own Iceberg writer describes it
     */
    public record WrittenRange(int groupId, int range, long rows, long bytesWritten, List<String> commitTasks)
    {
        public WrittenRange
        {
            commitTasks = ImmutableList.copyOf(commitTasks);
        }
    }

    /**
     * One pass over a file.
     *
     * @param file its number within the group
     * @param firstRange the first range of the pass
     * @param rows that the file yielded after its deletes, whatever range they belong to
     */
    public record FilePass(int groupId, int file, int firstRange, long rows) {}
}
