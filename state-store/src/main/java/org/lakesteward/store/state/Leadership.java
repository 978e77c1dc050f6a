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

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Who leads, as a candidate knows.
 */
public sealed interface Leadership
{
    /**
     * This candidate.
     *
     * @param term rises from one leader to the next: the revision at which the key of the leader was created
     */
    record Leading(LeaderRecord leader, long term)
            implements Leadership
    {
        public Leading
        {
            requireNonNull(leader, "leader is null");
        }

        /** Holds while nobody else leads: belongs into every transaction of the leader. */
        public Condition guard()
        {
            return Condition.createdAt(StateKeys.LEADER, term);
        }
    }

    /**
     * @param leader empty when nobody leads, or when what stands in the store cannot be read
     */
    record Following(Optional<LeaderRecord> leader)
            implements Leadership
    {
        public Following
        {
            requireNonNull(leader, "leader is null");
        }
    }
}
