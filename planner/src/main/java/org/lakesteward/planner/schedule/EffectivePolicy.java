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
package org.lakesteward.planner.schedule;

import org.lakesteward.planner.policy.TablePolicy;

import static java.util.Objects.requireNonNull;

/**
 * What a table's properties and the operator's file come to.
 */
public sealed interface EffectivePolicy
{
    record Valid(TablePolicy policy)
            implements EffectivePolicy
    {
        public Valid
        {
            requireNonNull(policy, "policy is null");
        }
    }

    /**
     * @param reason which entry is wrong, and why, on one line
     */
    record Invalid(String reason)
            implements EffectivePolicy
    {
        public Invalid
        {
            requireNonNull(reason, "reason is null");
        }
    }
}
