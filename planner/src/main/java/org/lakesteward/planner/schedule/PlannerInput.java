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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.ledger.TableLedger;
import org.lakesteward.planner.window.MaintenanceWindow;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * All that the planner looks at. Nothing depends on the order of any of the lists.
 *
 * @param now the moment for which is planned
 * @param tables what is known of every table
 * @param ledgers past runs, by table uuid; a table that is missing never had one
 * @param policies the policy of a table; the answer depends on the argument alone
 * @param grants what the operator handed over
 * @param executors all that are known, live or not
 * @param assignments all that stand in the store
 * @param lockedTables uuids of tables whose write turn somebody holds without an assignment
 * @param outages catalogs that do not answer, by name
 * @param windows open maintenance windows
 * @param bytesPlacedWithinHour bytes reserved by all placements of the last hour, ended or not
 * @param settings the settings
 */
public record PlannerInput(
        Instant now,
        Collection<TableRecord> tables,
        Map<String, TableLedger> ledgers,
        Function<TableRecord, EffectivePolicy> policies,
        Grants grants,
        List<ExecutorState> executors,
        List<Assignment> assignments,
        Set<String> lockedTables,
        Map<String, CatalogOutage> outages,
        List<MaintenanceWindow> windows,
        long bytesPlacedWithinHour,
        PlannerSettings settings)
{
    public PlannerInput
    {
        requireNonNull(now, "now is null");
        tables = ImmutableList.copyOf(tables);
        ledgers = ImmutableMap.copyOf(ledgers);
        requireNonNull(policies, "policies is null");
        requireNonNull(grants, "grants is null");
        executors = ImmutableList.copyOf(executors);
        assignments = ImmutableList.copyOf(assignments);
        lockedTables = ImmutableSet.copyOf(lockedTables);
        outages = ImmutableMap.copyOf(outages);
        windows = ImmutableList.copyOf(windows);
        checkArgument(bytesPlacedWithinHour >= 0, "bytesPlacedWithinHour is %s: it must not be negative", bytesPlacedWithinHour);
        requireNonNull(settings, "settings is null");
    }
}
