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
import org.lakesteward.planner.window.InvalidWindowException.Reason;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.INVALID_ARGUMENT;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.NO_SUCH_WINDOW;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.TOO_MANY_WINDOWS;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.WINDOW_EXISTS;
import static org.lakesteward.planner.window.Windows.OPENED;
import static org.lakesteward.planner.window.Windows.window;

public class TestWindowChange
{
    private static final Instant NOW = OPENED.plusSeconds(60);
    private static final WindowScope SALES = WindowScope.parse("lake.sales");

    @Test
    public void testOpen()
    {
        MaintenanceWindow window = window("lake.sales");
        WindowChange change = WindowChange.open(snapshot(), window, NOW);
        assertThat(change).isEqualTo(new WindowChange(SALES, Optional.of(window), Optional.empty()));
    }

    @Test
    public void testOpenBesideOthers()
    {
        // wider and narrower windows may overlap; only the same scope is taken
        WindowChange change = WindowChange.open(snapshot(window("cluster"), window("lake.sales.orders")), window("lake.sales"), NOW);
        assertThat(change.put()).contains(window("lake.sales"));
    }

    @Test
    public void testOpenTwice()
    {
        assertRefused(
                () -> WindowChange.open(snapshot(window("lake.sales")), window("Lake.\"SALES\""), NOW),
                WINDOW_EXISTS,
                "a window on lake.sales was opened by alice at 2026-11-30T10:00:00Z (restore) and is still open: use extend_maintenance to change it or exit_maintenance to end it");
    }

    @Test
    public void testOpenAfterTheTimeOfTheLastIsOver()
    {
        MaintenanceWindow over = window("lake.sales", Optional.of(NOW));
        WindowChange change = WindowChange.open(snapshot(over), window("lake.sales"), NOW);
        assertThat(change.put()).contains(window("lake.sales"));
        assertThat(change.ended()).contains(new EndedWindow(over, Optional.empty(), NOW));
    }

    @Test
    public void testReason()
    {
        assertRefused(() -> WindowChange.open(snapshot(), with("", Duration.ofSeconds(1), Optional.empty()), NOW),
                INVALID_ARGUMENT,
                "reason is empty, it must be a text of 1 to 1000 characters that tells refused users why");
        assertRefused(() -> WindowChange.open(snapshot(), with("\u00a0\u200b\u0000", Duration.ofSeconds(1), Optional.empty()), NOW),
                INVALID_ARGUMENT,
                "reason is empty, it must be a text of 1 to 1000 characters that tells refused users why");
        assertRefused(() -> WindowChange.open(snapshot(), with(" \t\n", Duration.ofSeconds(1), Optional.empty()), NOW),
                INVALID_ARGUMENT,
                "reason is empty, it must be a text of 1 to 1000 characters that tells refused users why");
        assertRefused(() -> WindowChange.open(snapshot(), with("\u00a0\u200b\u0000", Duration.ofSeconds(1), Optional.empty()), NOW),
                INVALID_ARGUMENT,
                "reason is empty, it must be a text of 1 to 1000 characters that tells refused users why");
        assertRefused(() -> WindowChange.open(snapshot(), with("x".repeat(1001), Duration.ofSeconds(1), Optional.empty()), NOW),
                INVALID_ARGUMENT,
                "reason is 1001 characters long, it must be a text of 1 to 1000 characters that tells refused users why");
        // not units of UTF-16
        assertThat(WindowChange.open(snapshot(), with("\uD83E\uDDED".repeat(1000), Duration.ofSeconds(1), Optional.empty()), NOW).put()).isPresent();
        assertThat(WindowChange.open(snapshot(), with("x".repeat(1000), Duration.ofSeconds(1), Optional.empty()), NOW).put()).isPresent();
    }

    @Test
    public void testScope()
    {
        for (String bad : ImmutableList.of("lake." + "t".repeat(996), "\"a\nb\"")) {
            MaintenanceWindow window = window(bad);
            assertThatThrownBy(() -> WindowChange.open(snapshot(), window, NOW))
                    .isInstanceOfSatisfying(InvalidWindowException.class, failure -> assertThat(failure.reason()).isEqualTo(INVALID_ARGUMENT))
                    .hasMessageMatching("scope is (1001 characters long, it must be at most 1000|'\"a b\"', it must not contain control characters: .*)");
        }
        assertThat(WindowChange.open(snapshot(), window("lake." + "t".repeat(995)), NOW).put()).isPresent();
    }

    @Test
    public void testUntilIsAtMostWhatCanBeShown()
    {
        assertRefused(() -> WindowChange.open(snapshot(), with("restore", Duration.ofSeconds(1), Optional.of(Instant.parse("+10000-01-01T00:00:00Z"))), NOW),
                INVALID_ARGUMENT,
                "until is +10000-01-01T00:00:00Z, it must be before the year 10000; leave it out for a window that stays open until somebody ends it");
        assertThat(WindowChange.open(snapshot(), with("restore", Duration.ofSeconds(1), Optional.of(WindowChange.MAX_UNTIL)), NOW).put()).isPresent();
    }

    @Test
    public void testRetryAfter()
    {
        for (Duration bad : ImmutableList.of(Duration.ZERO, Duration.ofSeconds(-5), Duration.ofMillis(999), Duration.ofDays(7).plusMillis(1))) {
            assertRefused(() -> WindowChange.open(snapshot(), with("restore", bad, Optional.empty()), NOW),
                    INVALID_ARGUMENT,
                    "retry_after is %s, it must be a duration from 1s to 7d".formatted(bad));
        }
        for (Duration good : ImmutableList.of(Duration.ofSeconds(1), Duration.ofDays(7))) {
            assertThat(WindowChange.open(snapshot(), with("restore", good, Optional.empty()), NOW).put().orElseThrow().retryAfter()).isEqualTo(good);
        }
    }

    @Test
    public void testUntil()
    {
        for (Instant bad : ImmutableList.of(NOW, NOW.minusNanos(1), OPENED)) {
            assertRefused(() -> WindowChange.open(snapshot(), with("restore", Duration.ofSeconds(1), Optional.of(bad)), NOW),
                    INVALID_ARGUMENT,
                    "until is %s, it must be in the future (it is %s now)".formatted(bad, NOW));
        }
        assertThat(WindowChange.open(snapshot(), with("restore", Duration.ofSeconds(1), Optional.of(NOW.plusNanos(1))), NOW).put()).isPresent();
    }

    @Test
    public void testTooMany()
    {
        List<MaintenanceWindow> many = IntStream.range(0, WindowChange.MAX_WINDOWS)
                .mapToObj(index -> window("lake.s" + index))
                .toList();
        WindowSnapshot full = new WindowSnapshot(many, ImmutableList.of(), ImmutableList.of());
        assertRefused(() -> WindowChange.open(full, window("lake.sales"), NOW),
                TOO_MANY_WINDOWS,
                "1000 windows are open, and no more than that many are accepted: end some, or open one with a wider scope");
    }

    @Test
    public void testExtend()
    {
        MaintenanceWindow window = window("lake.sales", Optional.of(NOW.plusSeconds(10)));
        WindowChange change = WindowChange.extend(snapshot(window), SALES, Optional.of(NOW.plusSeconds(100)), false, Optional.of(Duration.ofMinutes(2)), Optional.of(true), "bob", NOW);
        assertThat(change.ended()).isEmpty();
        assertThat(change.put()).contains(new MaintenanceWindow(
                window.id(), SALES, "restore", "alice", OPENED, Optional.of(NOW.plusSeconds(100)), Duration.ofMinutes(2), true, Optional.of("bob"), Optional.empty()));

        assertThat(WindowChange.extend(snapshot(window), SALES, Optional.empty(), true, Optional.empty(), Optional.empty(), "bob", NOW).put().orElseThrow().until()).isEmpty();
        assertThat(WindowChange.extend(snapshot(window), SALES, Optional.empty(), false, Optional.empty(), Optional.of(true), "bob", NOW).put().orElseThrow().until()).isEqualTo(window.until());
    }

    @Test
    public void testExtendWrongly()
    {
        WindowSnapshot current = snapshot(window("lake.sales"));
        assertRefused(() -> WindowChange.extend(current, SALES, Optional.empty(), false, Optional.empty(), Optional.empty(), "bob", NOW),
                INVALID_ARGUMENT,
                "nothing is to be changed: give until, until_ended, retry_after or kill_running_writes");
        assertRefused(() -> WindowChange.extend(current, SALES, Optional.of(NOW.plusSeconds(1)), true, Optional.empty(), Optional.empty(), "bob", NOW),
                INVALID_ARGUMENT,
                "until and until_ended exclude each other: give one of them");
        assertRefused(() -> WindowChange.extend(current, SALES, Optional.of(NOW), false, Optional.empty(), Optional.empty(), "bob", NOW),
                INVALID_ARGUMENT,
                "until is %s, it must be in the future (it is %s now)".formatted(NOW, NOW));
        assertRefused(() -> WindowChange.extend(current, SALES, Optional.empty(), false, Optional.of(Duration.ZERO), Optional.empty(), "bob", NOW),
                INVALID_ARGUMENT,
                "retry_after is PT0S, it must be a duration from 1s to 7d");
        assertRefused(() -> WindowChange.extend(current, WindowScope.parse("lake"), Optional.empty(), true, Optional.empty(), Optional.empty(), "bob", NOW),
                NO_SUCH_WINDOW,
                "no window on lake is open; open are: lake.sales");
    }

    @Test
    public void testEnd()
    {
        MaintenanceWindow window = window("lake.sales");
        WindowChange change = WindowChange.end(snapshot(window, window("cluster")), SALES, "bob", NOW);
        assertThat(change).isEqualTo(new WindowChange(SALES, Optional.empty(), Optional.of(new EndedWindow(window, Optional.of("bob"), NOW))));
    }

    @Test
    public void testEndWhatIsNotThere()
    {
        assertRefused(() -> WindowChange.end(snapshot(), SALES, "bob", NOW), NO_SUCH_WINDOW, "no window on lake.sales is open, nor on anything else");
        assertRefused(() -> WindowChange.end(snapshot(window("lake.sales", Optional.of(NOW))), SALES, "bob", NOW), NO_SUCH_WINDOW, "no window on lake.sales is open, nor on anything else");
        MaintenanceWindow[] many = IntStream.range(10, 22).mapToObj(index -> window("lake.s" + index)).toArray(MaintenanceWindow[]::new);
        assertRefused(() -> WindowChange.end(snapshot(many), SALES, "bob", NOW),
                NO_SUCH_WINDOW,
                "no window on lake.sales is open; open are: lake.s10, lake.s11, lake.s12, lake.s13, lake.s14, lake.s15, lake.s16, lake.s17, lake.s18, lake.s19 and 2 more");
    }

    private static void assertRefused(Runnable change, Reason reason, String message)
    {
        assertThatThrownBy(change::run)
                .isInstanceOfSatisfying(InvalidWindowException.class, failure -> assertThat(failure.reason()).isEqualTo(reason))
                .hasMessage(message);
    }

    private static MaintenanceWindow with(String reason, Duration retryAfter, Optional<Instant> until)
    {
        return new MaintenanceWindow("id", SALES, reason, "alice", NOW, until, retryAfter, false, Optional.empty(), Optional.empty());
    }

    private static WindowSnapshot snapshot(MaintenanceWindow... windows)
    {
        return new WindowSnapshot(ImmutableList.copyOf(windows), ImmutableList.of(), ImmutableList.of());
    }
}
