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
package org.lakesteward.planner.ledger;

import com.google.common.hash.Hashing;
import org.lakesteward.planner.policy.TablePolicy;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A number that changes with a policy, the same in every process.
 */
public final class PolicyFingerprint
{
    private PolicyFingerprint() {}

    public static long of(TablePolicy policy)
    {
        // the text of a record is made of its values alone, and sets of enums are in the order of the enum
        return Hashing.sha256().hashString(policy.toString(), UTF_8).asLong();
    }
}
