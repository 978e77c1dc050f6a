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
package org.lakesteward.maintenance.window;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an operator reads when a wait has run out.
 */
public class TestClosingReport
{
    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.678Z");
    private static final Duration MAX_STALENESS = Duration.ofHours(1);
    private static final String INTRODUCTION = "the window on \"it's\" is open and refuses new writes, but it has not closed within 5 minutes. It waits for ";
    private static final String WAIT_ON = " Wait on with CALL control.system.wait_maintenance(scope => '\"it''s\"')";
    private static final String EXIT = "; writes are open again after CALL control.system.exit_maintenance(scope => '\"it''s\"')";

    @Test
    public void testNobodyEnforces()
    {
        assertThat(message(false)).isEqualTo("the window on \"it's\" is open, but no coordinator with access-control.name=maintenance reports to this store, so nothing enforces it and writes go on: " +
                "configure that access control with the same store on every coordinator, then wait with CALL control.system.wait_maintenance(scope => '\"it''s\"'), or end the window with CALL control.system.exit_maintenance(scope => '\"it''s\"')");
    }

    /** The coordinator that runs the call would be live if its access control reported. */
    @Test
    public void testNobodyEnforcesAnyMore()
    {
        CoordinatorState gone = new CoordinatorState(report("c1", NOW.minus(Duration.ofDays(30)), ImmutableMap.of(), ImmutableList.of(), 0), false);
        assertThat(message(false, gone)).startsWith("the window on \"it's\" is open, but no coordinator with access-control.name=maintenance reports to this store any more (known are: c1), so nothing enforces it");
        assertThat(new ClosingReport("control", window(false), ImmutableList.of(gone), MAX_STALENESS, NOW).isClosed()).isFalse();
    }

    @Test
    public void testClosed()
    {
        ClosingReport report = new ClosingReport("control", window(false), ImmutableList.of(live(report("c1", NOW, acknowledged(true), ImmutableList.of(), 0))), MAX_STALENESS, NOW);
        assertThat(report.isClosed()).isTrue();
    }

    @Test
    public void testManyCoordinators()
    {
        CoordinatorState[] coordinators = IntStream.range(0, 7)
                .mapToObj(index -> live(report("c" + index, NOW, ImmutableMap.of(), ImmutableList.of(), 0)))
                .toArray(CoordinatorState[]::new);
        assertThat(message(false, coordinators)).isEqualTo(INTRODUCTION + "coordinators that have not acknowledged the window: c0, c1, c2, c3, c4 and 2 more." + WAIT_ON + EXIT);
    }

    @Test
    public void testOneWrite()
    {
        assertThat(message(true, live(report("c1", NOW, acknowledged(false), writes(1), 0))))
                .isEqualTo(INTRODUCTION + "1 write in flight: q0 (MERGE by alice on c1, 1 hour 5 seconds old)." + WAIT_ON + EXIT);
    }

    @Test
    public void testManyWrites()
    {
        assertThat(message(false, live(report("c1", NOW, acknowledged(false), writes(4), 0)), live(report("c2", NOW, acknowledged(false), writes(3), 100))))
                .startsWith(INTRODUCTION + "107 writes in flight: q0 (MERGE by alice on c1, 1 hour 5 seconds old), q1 ")
                .contains(", q3 (MERGE by alice on c1, 1 hour 5 seconds old), q0 (MERGE by alice on c2, 1 hour 5 seconds old) and 102 more." + WAIT_ON + ", or have the writes killed with CALL control.system.extend_maintenance(scope => '\"it''s\"', kill_running_writes => true)" + EXIT);
    }

    @Test
    public void testFewWritesWithManyLeftOut()
    {
        assertThat(message(true, live(report("c1", NOW, acknowledged(false), writes(1), 2))))
                .contains("3 writes in flight: q0 (MERGE by alice on c1, 1 hour 5 seconds old) and 2 more.");
    }

    @Test
    public void testAllWritesLeftOut()
    {
        assertThat(message(true, live(report("c1", NOW, acknowledged(false), ImmutableList.of(), 2)))).contains("It waits for 2 writes in flight. Wait on");
    }

    @Test
    public void testNotDrainedWithoutWrites()
    {
        assertThat(message(false, live(report("c1", NOW, acknowledged(false), ImmutableList.of(), 0))))
                .isEqualTo(INTRODUCTION + "coordinators that have not reported yet that their writes have finished: c1." + WAIT_ON + EXIT);
    }

    private static String message(boolean killRunningWrites, CoordinatorState... coordinators)
    {
        return new ClosingReport("control", window(killRunningWrites), Arrays.asList(coordinators), MAX_STALENESS, NOW).message(Duration.ofMinutes(5));
    }

    private static MaintenanceWindow window(boolean killRunningWrites)
    {
        return new MaintenanceWindow("w1", WindowScope.catalog("it's"), "r", "ann", NOW.minusSeconds(400), Optional.empty(), Duration.ofSeconds(30), killRunningWrites, Optional.empty(), Optional.empty());
    }

    private static ImmutableMap<String, Acknowledgement> acknowledged(boolean drained)
    {
        return ImmutableMap.of("w1", new Acknowledgement(NOW, drained ? Optional.of(NOW) : Optional.empty()));
    }

    private static CoordinatorState live(CoordinatorReport report)
    {
        return new CoordinatorState(report, true);
    }

    private static CoordinatorReport report(String id, Instant reportedAt, ImmutableMap<String, Acknowledgement> acknowledgements, List<WriteInFlight> writes, int writesLeftOut)
    {
        return new CoordinatorReport(id, reportedAt, reportedAt, false, acknowledgements, writes, writesLeftOut);
    }

    private static List<WriteInFlight> writes(int count)
    {
        return IntStream.range(0, count)
                .mapToObj(index -> new WriteInFlight("q" + index, "alice", StatementKind.MERGE, NOW.minusSeconds(3605), ImmutableSet.of(WindowScope.table("it's", "a", "b")), Optional.empty()))
                .collect(toImmutableList());
    }
}
