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
package org.lakesteward.stitch.rowgroup;

/**
 * Counts what became of the data pages of inputs. Not safe for use by several threads.
 */
public final class PageCounters
{
    private long copied;
    private long merged;
    private long gathered;
    private long recompressed;

    void countCopied()
    {
        copied++;
    }

    void countMerged()
    {
        merged++;
    }

    void countGathered()
    {
        gathered++;
    }

    void countRecompressed()
    {
        recompressed++;
    }

    /**
     * @return pages that are in the output as they were
     */
    public long copied()
    {
        return copied;
    }

    /**
     * @return pages whose indices were mapped, or which were joined with others
     */
    public long merged()
    {
        return merged;
    }

    /**
     * @return pages whose indices were replaced by values
     */
    public long gathered()
    {
        return gathered;
    }

    /**
     * @return pages that were only compressed by another codec
     */
    public long recompressed()
    {
        return recompressed;
    }
}
