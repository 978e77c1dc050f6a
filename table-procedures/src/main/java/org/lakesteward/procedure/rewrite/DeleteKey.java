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

import org.apache.iceberg.DeleteFile;

import static java.util.Objects.requireNonNull;

/**
 * What tells one delete file from another: several deletion vectors share one Puffin file and differ by their offset in it.
 *
 * @param offset offset of a deletion vector in its file, -1 for a delete file of its own
 */
record DeleteKey(String location, long offset)
{
    DeleteKey
    {
        requireNonNull(location, "location is null");
    }

    static DeleteKey of(DeleteFile file)
    {
        return new DeleteKey(file.location(), file.contentOffset() == null ? -1 : file.contentOffset());
    }
}
