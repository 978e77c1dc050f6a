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
package org.lakesteward.planner.window;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.WindowProgress.WriteOnCoordinator;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.window.Windows.OPENED;
import static org.lakesteward.planner.window.Windows.window;

public class TestWindowProgress
{
    private static final Duration MAX_STALENESS = Duration.ofHours(1);
    private static final Instant NOW = OPENED.plusSeconds(60);
    private static final MaintenanceWindow WINDOW = window("lake.sales");

    @Test
    public void testNobodyEnforces()
    {
        assertThat(progress()).isEqualTo(new WindowProgress(List.of(), List.of(), List.of(), List.of(), 0, Optional.empty()));
    }

    @Test
    public void testClosedWhenTheLastOneHasDrained()
    {
        WindowProgress progress = progress(
                live("a", drained(OPENED.plusSeconds(1), OPENED.plusSeconds(9))),
                live("b", drained(OPENED.plusSeconds(2), OPENED.plusSeconds(2))));
        assertThat(progress.closedAt()).contains(OPENED.plusSeconds(9));
        assertThat(progress.isClosed()).isTrue();
    }

    @Test
    public void testClosedNotBeforeItWasOpened()
    {
        // clocks may differ
        assertThat(progress(live("a", drained(OPENED.minusSeconds(3), OPENED.minusSeconds(3)))).closedAt()).contains(OPENED);
    }

    @Test
    public void testReportOfAWrongClockFarInTheFutureIsLost()
    {
        assertThat(progress(live("a", drained(OPENED, OPENED)), silent("b", Instant.MAX, ImmutableMap.of())).lost()).containsExactly("b");
    }

    @Test
    public void testNotClosedWhileNobodyIsThereToRefuse()
    {
        // whoever asks runs on a coordinator that is up, so its access control is missing
        assertThat(progress(silent("a", NOW.minusSeconds(30), drained(OPENED, OPENED))).isClosed()).isFalse();
    }

    @Test
    public void testAcknowledgementOfAnEarlierEndDoesNotCount()
    {
        Instant end = NOW.plusSeconds(10);
        MaintenanceWindow putOff = window("lake.sales", Optional.of(end.plusMillis(1)));
        CoordinatorState knows = live("a", ImmutableMap.of(putOff.id(), new Acknowledgement(OPENED, Optional.of(OPENED), putOff.until())));
        ImmutableMap<String, Acknowledgement> old = ImmutableMap.of(putOff.id(), new Acknowledgement(OPENED, Optional.of(OPENED), Optional.of(end)));

        assertThat(WindowProgress.of(putOff, List.of(knows), MAX_STALENESS, NOW).isClosed()).isTrue();
        assertThat(WindowProgress.of(putOff, List.of(knows, live("b", old)), MAX_STALENESS, NOW).waitedFor()).containsExactly("b");
        assertThat(WindowProgress.of(putOff, List.of(knows, silent("b", NOW.minusSeconds(30), old)), MAX_STALENESS, NOW).lost()).containsExactly("b");
        // the end was taken away, or was brought forward
        assertThat(WindowProgress.of(WINDOW, List.of(knows, live("b", old)), MAX_STALENESS, NOW).waitedFor()).containsExactly("a", "b");
        MaintenanceWindow broughtForward = window("lake.sales", Optional.of(end.minusSeconds(1)));
        assertThat(WindowProgress.of(broughtForward, List.of(knows, live("b", old)), MAX_STALENESS, NOW).isClosed()).isTrue();
        assertThat(WindowProgress.notKnowing(putOff, List.of(knows, live("b", old), silent("c", NOW, old)))).containsExactly("b");
    }

    @Test
    public void testWaitsForAcknowledgement()
    {
        WindowProgress progress = progress(
                live("a", drained(OPENED, OPENED)),
                live("b", ImmutableMap.of()),
                live("c", ImmutableMap.of("another window", new Acknowledgement(OPENED, Optional.of(OPENED)))));
        assertThat(progress.isClosed()).isFalse();
        assertThat(progress.waitedFor()).containsExactly("b", "c");
        assertThat(progress.lost()).isEmpty();
    }

    @Test
    public void testWaitsForWrites()
    {
        WriteInFlight orders = write("q1", "lake.sales.orders");
        WriteInFlight elsewhere = write("q2", "lake.stage.orders");
        WriteInFlight several = write("q3", "lake.stage.orders", "lake.sales.customers");
        CoordinatorReport report = new CoordinatorReport("a", OPENED, NOW, false, acknowledged(OPENED), ImmutableList.of(orders, elsewhere, several), 7);
        WindowProgress progress = progress(new CoordinatorState(report, true), live("b", drained(OPENED, OPENED)));
        assertThat(progress.isClosed()).isFalse();
        assertThat(progress.writes()).containsExactly(new WriteOnCoordinator("a", orders), new WriteOnCoordinator("a", several));
        assertThat(progress.writesLeftOut()).isEqualTo(7);
    }

    @Test
    public void testLostCoordinatorHoldsTheWindowInClosing()
    {
        CoordinatorState lost = silent("b", NOW.minusSeconds(30), ImmutableMap.of());
        WindowProgress progress = progress(live("a", drained(OPENED, OPENED)), lost);
        assertThat(progress.isClosed()).isFalse();
        assertThat(progress.lost()).containsExactly("b");
    }

    @Test
    public void testLostCoordinatorIsNotWaitedForOnceItRefusesByItself()
    {
        Instant limit = NOW.minus(MAX_STALENESS).minus(WindowProgress.CLOCK_TOLERANCE);
        assertThat(progress(live("a", drained(OPENED, OPENED)), silent("b", limit, ImmutableMap.of())).isClosed()).isFalse();
        assertThat(progress(live("a", drained(OPENED, OPENED)), silent("b", limit.minusMillis(1), ImmutableMap.of())).isClosed()).isTrue();
        // but a live one is, whatever its clock says
        CoordinatorReport wrongClock = new CoordinatorReport("b", OPENED, limit.minusMillis(1), false, ImmutableMap.of(), ImmutableList.of(), 0);
        assertThat(progress(live("a", drained(OPENED, OPENED)), new CoordinatorState(wrongClock, true)).waitedFor()).containsExactly("b");
    }

    @Test
    public void testLostCoordinatorThatHadDrainedIsFine()
    {
        assertThat(progress(live("a", drained(OPENED, OPENED)), silent("b", NOW.minusSeconds(30), drained(OPENED, OPENED))).isClosed()).isTrue();
    }

    @Test
    public void testIgnoringCoordinator()
    {
        CoordinatorReport report = new CoordinatorReport("b", OPENED, NOW, true, ImmutableMap.of(), ImmutableList.of(), 0);
        WindowProgress progress = progress(live("a", drained(OPENED, OPENED)), new CoordinatorState(report, true));
        assertThat(progress.isClosed()).isFalse();
        assertThat(progress.ignoring()).containsExactly("b");
        assertThat(progress.waitedFor()).isEmpty();
    }

    @Test
    public void testStillObeying()
    {
        assertThat(WindowProgress.stillObeying(WINDOW.id(), ImmutableList.of(
                live("a", ImmutableMap.of()),
                live("b", acknowledged(OPENED)),
                live("c", drained(OPENED, OPENED)),
                // nobody knows what this one does, and nobody can wait for it
                silent("d", OPENED, drained(OPENED, OPENED)),
                live("e", ImmutableMap.of("another window", new Acknowledgement(OPENED, Optional.empty()))))))
                .containsExactly("b", "c");
    }

    @Test
    public void testStateOfAWrite()
    {
        WriteInFlight write = write("q1", "lake.sales.orders");
        assertThat(write.state()).isEqualTo(WriteInFlight.State.RUNNING);
        assertThat(withKill(write, Optional.empty()).state()).isEqualTo(WriteInFlight.State.KILL_REQUESTED);
        assertThat(withKill(write, Optional.of("HTTP 401")).state()).isEqualTo(WriteInFlight.State.KILL_FAILED);
    }

    private static WriteInFlight withKill(WriteInFlight write, Optional<String> error)
    {
        return new WriteInFlight(write.queryId(), write.user(), write.kind(), write.createdAt(), write.targets(), Optional.of(new KillAttempt(NOW, error)));
    }

    private static WriteInFlight write(String queryId, String... targets)
    {
        ImmutableSet.Builder<WindowScope> scopes = ImmutableSet.builder();
        for (String target : targets) {
            scopes.add(WindowScope.parse(target));
        }
        return new WriteInFlight(queryId, "carol", StatementKind.INSERT, OPENED.minusSeconds(5), scopes.build(), Optional.empty());
    }

    private static Map<String, Acknowledgement> acknowledged(Instant at)
    {
        return ImmutableMap.of(WINDOW.id(), new Acknowledgement(at, Optional.empty()));
    }

    private static Map<String, Acknowledgement> drained(Instant acknowledgedAt, Instant drainedAt)
    {
        return ImmutableMap.of(WINDOW.id(), new Acknowledgement(acknowledgedAt, Optional.of(drainedAt)));
    }

    private static CoordinatorState live(String id, Map<String, Acknowledgement> acknowledgements)
    {
        return new CoordinatorState(new CoordinatorReport(id, OPENED, NOW, false, acknowledgements, ImmutableList.of(), 0), true);
    }

    private static CoordinatorState silent(String id, Instant reportedAt, Map<String, Acknowledgement> acknowledgements)
    {
        return new CoordinatorState(new CoordinatorReport(id, OPENED, reportedAt, false, acknowledgements, ImmutableList.of(), 0), false);
    }

    private static WindowProgress progress(CoordinatorState... coordinators)
    {
        return WindowProgress.of(WINDOW, ImmutableList.copyOf(coordinators), MAX_STALENESS, NOW);
    }
}
