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
import org.lakesteward.planner.demand.Sighting;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.schedule.ShadowComparison.Change;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.schedule.ShadowOutcome.AGREE;
import static org.lakesteward.planner.schedule.ShadowOutcome.DISCOVERY_MISS;
import static org.lakesteward.planner.schedule.ShadowOutcome.GONE;
import static org.lakesteward.planner.schedule.ShadowOutcome.PENDING;
import static org.lakesteward.planner.schedule.ShadowOutcome.PHANTOM;
import static org.lakesteward.planner.schedule.ShadowOutcome.PLACEMENT_GAP;

public class TestShadowComparison
{
    private static final Duration PATIENCE = Duration.ofHours(6);
    private static final Instant EARLY = PlannerCase.NOW.plus(PATIENCE).minusMillis(1);
    private static final Instant LATE = PlannerCase.NOW.plus(PATIENCE);
    private static final String OWES = "table orders rewrite=4/20/200MB/3d commit=2d";

    @Test
    public void testPlaced()
    {
        assertThat(outcomes(OWES, "table orders commit=1m", EARLY)).containsExactly(AGREE);
        assertThat(outcomes(OWES, "table orders rewrite=3/15/200MB/3d commit=1m", EARLY)).containsExactly(AGREE);
        assertThat(outcomes(OWES, "table orders rewrite=5/25/200MB/3d commit=1m", EARLY)).containsExactly(PENDING);
        assertThat(outcomes(OWES, "table orders rewrite=5/25/200MB/3d commit=1m", LATE)).containsExactly(PHANTOM);
        // a newer version of which it is not known what it owes tells nothing
        assertThat(outcomes(OWES, "table orders rewrite=unknown commit=1m", LATE)).containsExactly(PHANTOM);
        // nor does the same version, whatever is said of it
        assertThat(outcomes(OWES, "table orders commit=2d", EARLY)).containsExactly(PENDING);
    }

    @Test
    public void testDeferred()
    {
        List<ShadowResult> results = compare("table orders rewrite=4/20/200MB/3d commit=2d enabled=no", "table orders commit=1m", EARLY);
        assertThat(results).containsExactly(new ShadowResult(PLACEMENT_GAP, "uuid of orders", results.getFirst().name(), REWRITE_DATA_FILES, Optional.of(DeferralReason.NOT_OPTED_IN)));
        assertThat(outcomes("table orders rewrite=4/20/200MB/3d commit=2d enabled=no", "table orders rewrite=9/20/200MB/3d commit=1m", LATE)).isEmpty();
    }

    @Test
    public void testNoDemand()
    {
        // a tail that was not due yet
        List<ShadowResult> results = compare("table orders analyze=0.5/20/200MB/3d commit=2d", "table orders commit=1m", EARLY);
        assertThat(results).containsExactly(new ShadowResult(DISCOVERY_MISS, "uuid of orders", results.getFirst().name(), ANALYZE, Optional.empty()));
    }

    @Test
    public void testUnchanged()
    {
        MaintenancePlan plan = MaintenancePlanner.plan(input(OWES));
        assertThat(ShadowComparison.compare(plan, ImmutableList.of(), EARLY, PATIENCE)).extracting(ShadowResult::outcome).containsExactly(PENDING);
        assertThat(ShadowComparison.compare(plan, ImmutableList.of(), LATE, PATIENCE)).extracting(ShadowResult::outcome).containsExactly(PHANTOM);
    }

    @Test
    public void testDropped()
    {
        PlannerInput input = input(OWES);
        TableRecord before = input.tables().iterator().next();
        TableRecord dropped = new TableRecord(before.tableUuid(), new Sighting(before.name(), EARLY.toEpochMilli(), true), before.firstSeenMillis(), before.state(), before.kinds());
        assertThat(ShadowComparison.compare(MaintenancePlanner.plan(input), ImmutableList.of(new Change(before, dropped)), LATE, PATIENCE))
                .extracting(ShadowResult::outcome)
                .containsExactly(GONE);
    }

    private static List<ShadowOutcome> outcomes(String before, String after, Instant now)
    {
        return compare(before, after, now).stream().map(ShadowResult::outcome).toList();
    }

    private static List<ShadowResult> compare(String before, String after, Instant now)
    {
        PlannerInput input = input(before);
        Change change = new Change(input.tables().iterator().next(), input(after).tables().iterator().next());
        return ShadowComparison.compare(MaintenancePlanner.plan(input), ImmutableList.of(change), now, PATIENCE);
    }

    private static PlannerInput input(String table)
    {
        return PlannerCase.plannerInput(ImmutableList.of("executor e1", table));
    }
}
