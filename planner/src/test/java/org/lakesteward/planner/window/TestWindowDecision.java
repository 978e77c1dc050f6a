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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.WindowDecision.RefusedByWindow;
import org.lakesteward.planner.window.WindowDecision.RefusedForDoubt;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.window.Windows.OPENED;
import static org.lakesteward.planner.window.Windows.window;

/**
 * Decisions that are judged by eye stand in {@code decisions.txt}; the rules are checked over every combination here.
 */
public class TestWindowDecision
{
    private static final Instant NOW = OPENED.plusSeconds(60);
    private static final Set<StatementKind> NEVER_WRITE = ImmutableSet.of(StatementKind.EXPLAIN, StatementKind.DESCRIBE);
    private static final WindowScope ORDERS = WindowScope.parse("lake.sales.orders");

    @DataProvider
    public static Iterator<Object[]> cases()
            throws IOException
    {
        Path file = Path.of(System.getProperty("basedir", ""))
                .resolve("src/test/resources")
                .resolve(TestWindowDecision.class.getPackageName().replace('.', '/'))
                .resolve("decisions.txt");
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> new Object[] {line})
                .iterator();
    }

    @Test(dataProvider = "cases")
    public void testCase(String line)
    {
        List<String> cells = Splitter.on('|').trimResults().splitToList(line);
        assertThat(cells).as(line).hasSize(5);
        ImmutableList<MaintenanceWindow> windows = Splitter.on(' ').omitEmptyStrings().splitToStream(cells.get(0))
                .filter(word -> !word.equals("-"))
                .map(word -> {
                    List<String> parts = Splitter.on('@').splitToList(word);
                    return window(parts.get(0), parts.size() == 1 ? Optional.empty() : Optional.of(OPENED.plusSeconds(Long.parseLong(parts.get(1)))));
                })
                .collect(toImmutableList());
        WindowDecision decision = WindowDecision.decide(
                StatementKind.valueOf(cells.get(1)),
                WindowCheck.valueOf(cells.get(2)),
                WindowScope.parse(cells.get(3)),
                IdentityClass.USER,
                false,
                new WindowView(StoreCondition.KNOWN, windows),
                NOW);
        String actual = switch (decision) {
            case WindowDecision.Allowed _ -> "allowed";
            case RefusedByWindow(MaintenanceWindow window) -> "refused by " + window.scope();
            case RefusedForDoubt(StoreCondition condition) -> "refused for " + condition;
        };
        assertThat(actual).as(line).isEqualTo(cells.get(4));
    }

    @Test
    public void testEveryCombination()
    {
        WindowView open = new WindowView(StoreCondition.KNOWN, ImmutableList.of());
        WindowView closed = new WindowView(StoreCondition.KNOWN, ImmutableList.of(window("cluster")));
        for (StatementKind kind : StatementKind.values()) {
            for (WindowCheck check : WindowCheck.values()) {
                boolean mayWrite = check != WindowCheck.OPEN && !NEVER_WRITE.contains(kind);
                assertThat(WindowDecision.mayWrite(kind, check)).as("%s %s", kind, check).isEqualTo(mayWrite);
                for (IdentityClass identity : IdentityClass.values()) {
                    for (boolean pauseScheduler : new boolean[] {false, true}) {
                        boolean concerned = mayWrite && (identity == IdentityClass.USER || pauseScheduler);
                        assertThat(decide(kind, check, identity, pauseScheduler, open)).isEqualTo(WindowDecision.ALLOWED);
                        assertThat(decide(kind, check, identity, pauseScheduler, closed) instanceof RefusedByWindow)
                                .as("%s %s %s %s", kind, check, identity, pauseScheduler)
                                .isEqualTo(concerned);
                        for (StoreCondition condition : StoreCondition.values()) {
                            boolean doubt = condition == StoreCondition.NEVER_READ || condition == StoreCondition.TOO_STALE;
                            WindowDecision decision = decide(kind, check, identity, pauseScheduler, new WindowView(condition, ImmutableList.of()));
                            assertThat(decision).isEqualTo(concerned && doubt ? new RefusedForDoubt(condition) : WindowDecision.ALLOWED);
                        }
                        assertThat(decide(kind, check, identity, pauseScheduler, new WindowView(StoreCondition.IGNORED, closed.windows())))
                                .isEqualTo(WindowDecision.ALLOWED);
                    }
                }
            }
        }
    }

    /** A read is never refused, whatever the windows and however unsure the coordinator is. */
    @Test
    public void testOpenChecksAreNeverRefused()
    {
        List<WindowView> views = Arrays.stream(StoreCondition.values())
                .map(condition -> new WindowView(condition, ImmutableList.of(window("cluster"), window("lake"), window("lake.sales.orders"))))
                .toList();
        for (StatementKind kind : StatementKind.values()) {
            for (WindowView view : views) {
                assertThat(decide(kind, WindowCheck.OPEN, IdentityClass.USER, true, view)).isEqualTo(WindowDecision.ALLOWED);
            }
        }
    }

    private static WindowDecision decide(StatementKind kind, WindowCheck check, IdentityClass identity, boolean pauseScheduler, WindowView view)
    {
        return WindowDecision.decide(kind, check, ORDERS, identity, pauseScheduler, view, NOW);
    }
}
