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
package org.lakesteward.store.etcd;

/**
 * Tells whether a range has changed: a key that was put raises the latest revision, and when none was, a key that was removed
 * lowers the count.
 *
 * @param latestModRevision of all keys of the range; zero when there are none
 */
public record RangeStamp(long latestModRevision, long count)
{
    public static RangeStamp of(EtcdRange range)
    {
        return new RangeStamp(range.entries().stream().mapToLong(EtcdEntry::modRevision).max().orElse(0), range.entries().size());
    }
}
