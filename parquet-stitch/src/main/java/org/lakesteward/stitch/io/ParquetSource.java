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
package org.lakesteward.stitch.io;

import java.io.IOException;

/**
 * A file that can be read at any position. Used by one thread at a time; the caller closes what lies below it.
 */
public interface ParquetSource
{
    /**
     * @return what messages call the file, usually its location
     */
    String name();

    /**
     * @return size of the file in bytes
     */
    long length();

    /**
     * Reads bytes that are inside of {@link #length()}.
     *
     * @throws IOException when storage fails or the file turns out to be shorter
     */
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;
}
