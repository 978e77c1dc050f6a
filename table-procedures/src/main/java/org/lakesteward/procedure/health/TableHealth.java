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
package org.lakesteward.procedure.health;

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.health.HealthFinding;
import org.lakesteward.planner.health.TableObservation;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What was seen of a table, and what the rules say of it.
 *
 * @param findings the worst first
 */
record TableHealth(TableObservation observation, List<HealthFinding> findings)
{
    TableHealth
    {
        requireNonNull(observation, "observation is null");
        findings = ImmutableList.copyOf(findings);
    }

    Optional<HealthFinding> worst()
    {
        return findings.stream().findFirst();
    }
}
