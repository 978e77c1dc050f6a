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
package org.lakesteward.store.window;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Records with every kind of text and number that the stores must keep.
 */
final class RandomRecords
{
    private static final String[] PIECES = {"a", "Z", "0", "_", ".", "\"", "/", "\\", "\0", "\n", " ", "ü", "表", "😀", "%2F", "cluster", "..", "{", "'", "\u2028"};

    private final Random random;

    RandomRecords(long seed)
    {
        this.random = new Random(seed);
    }

    MaintenanceWindow window()
    {
        return new MaintenanceWindow(
                text(),
                scope(),
                text(),
                text(),
                instant(),
                optional(this::instant),
                Duration.ofNanos(random.nextLong()),
                random.nextBoolean(),
                optional(this::text),
                optional(this::text));
    }

    EndedWindow ended()
    {
        return new EndedWindow(window(), optional(this::text), instant());
    }

    CoordinatorReport report()
    {
        ImmutableMap.Builder<String, Acknowledgement> acknowledgements = ImmutableMap.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
            acknowledgements.put(i + text(), new Acknowledgement(instant(), optional(this::instant)));
        }
        ImmutableList.Builder<WriteInFlight> writes = ImmutableList.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
            writes.add(write());
        }
        return new CoordinatorReport(text(), instant(), instant(), random.nextBoolean(), acknowledgements.buildOrThrow(), writes.build(), random.nextInt(Integer.MAX_VALUE));
    }

    WindowScope scope()
    {
        return switch (random.nextInt(4)) {
            case 0 -> WindowScope.cluster();
            case 1 -> WindowScope.catalog(name());
            case 2 -> WindowScope.schema(name(), name());
            default -> WindowScope.table(name(), name(), name());
        };
    }

    String text()
    {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private String name()
    {
        return text() + PIECES[random.nextInt(PIECES.length)];
    }

    private WriteInFlight write()
    {
        ImmutableSet.Builder<WindowScope> targets = ImmutableSet.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
            targets.add(scope());
        }
        return new WriteInFlight(
                text(),
                text(),
                StatementKind.values()[random.nextInt(StatementKind.values().length)],
                instant(),
                targets.build(),
                optional(() -> new KillAttempt(instant(), optional(this::text))));
    }

    private Instant instant()
    {
        return switch (random.nextInt(8)) {
            case 0 -> Instant.MIN;
            case 1 -> Instant.MAX;
            case 2 -> Instant.EPOCH;
            default -> Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextInt(1_000_000_000));
        };
    }

    private <T> Optional<T> optional(Supplier<T> value)
    {
        return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
    }
}
