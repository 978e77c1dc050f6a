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
package org.lakesteward.store.state;

import static java.util.Objects.requireNonNull;

/**
 * Names a transaction whose outcome is unknown, for {@link StateStore#resolve}.
 *
 * @param lease of the mark that it leaves in the store, zero when the store needs none
 */
public record TransactionId(String id, long lease)
{
    public TransactionId
    {
        requireNonNull(id, "id is null");
    }
}
