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

import static java.util.Objects.requireNonNull;

/**
 * Names the files that one file group writes: query id, group, number. The coordinator can therefore tell every name
 * that a group may have used, also when the worker that used it is gone, and need not list a bucket to clean up.
 * <p>
 * Not thread-safe, as a group is written by one thread at a time.
 */
final class GroupFileNames
        implements LocationProvider
{
    private static final long serialVersionUID = 1;

    private final LocationProvider delegate;
    private final String queryId;
    private final int groupId;
    private int next;

    GroupFileNames(LocationProvider delegate, String queryId, int groupId)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.queryId = requireNonNull(queryId, "queryId is null");
        this.groupId = groupId;
    }

    static String fileName(String queryId, int groupId, int number, String extension)
    {
        // starts with the query id as Trino's own files do, so that its tools recognize the file's origin
        return "%s-%s-%s.%s".formatted(queryId, groupId, number, extension);
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
        String extension = fileName.substring(fileName.lastIndexOf('.') + 1);
        return fileName(queryId, groupId, next++, extension);
    }
}
