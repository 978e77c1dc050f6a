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
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.lakesteward.planner.rewrite.DataFileInfo;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A live data file of a snapshot with the delete files that apply to it, and the facts that the planner decides on.
 */
record ScannedFile(DataFile file, List<DeleteFile> deletes, DataFileInfo info)
{
    ScannedFile
    {
        requireNonNull(file, "file is null");
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(info, "info is null");
    }
}
