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

import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableName;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * @param outcome what came of it
 * @param tableUuid the table
 * @param name its name when it was planned
 * @param kind the kind
 * @param deferred why it was deferred; empty unless the outcome is {@link ShadowOutcome#PLACEMENT_GAP}
 */
public record ShadowResult(ShadowOutcome outcome, String tableUuid, TableName name, MaintenanceKind kind, Optional<DeferralReason> deferred)
{
    public ShadowResult
    {
        requireNonNull(outcome, "outcome is null");
        requireNonNull(tableUuid, "tableUuid is null");
        requireNonNull(name, "name is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(deferred, "deferred is null");
    }
}
