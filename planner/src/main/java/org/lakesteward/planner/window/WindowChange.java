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

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.INVALID_ARGUMENT;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.NO_SUCH_WINDOW;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.TOO_MANY_WINDOWS;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.WINDOW_EXISTS;

/**
 * One change of the window of one scope. A store applies it only if the window of that scope is still the one that
 * it was computed from, and otherwise has it computed again.
 *
 * @param put the window of the scope from now on; empty for none
 * @param ended what goes to the past
 */
public record WindowChange(WindowScope scope, Optional<MaintenanceWindow> put, Optional<EndedWindow> ended)
{
    /** Each check of a write looks at every window, so their number is bounded. */
    public static final int MAX_WINDOWS = 1000;
    public static final int MAX_REASON_LENGTH = 1000;
    /** Of the text of a scope, in characters, so that stores and messages have room for it. */
    public static final int MAX_SCOPE_LENGTH = 1000;
    public static final Duration MIN_RETRY_AFTER = Duration.ofSeconds(1);
    public static final Duration MAX_RETRY_AFTER = Duration.ofDays(7);
    /** The last moment that a timestamp of Trino shows with four digits of the year; what lies beyond is a mistake. */
    public static final Instant MAX_UNTIL = Instant.parse("9999-12-31T23:59:59.999Z");

    public WindowChange
    {
        requireNonNull(scope, "scope is null");
        requireNonNull(put, "put is null");
        requireNonNull(ended, "ended is null");
    }

    /**
     * @throws InvalidWindowException when a value of the window is out of its range, when a window of the same scope is open,
     * or when too many are
     */
    public static WindowChange open(WindowSnapshot current, MaintenanceWindow window, Instant now)
    {
        checkScope(window.scope());
        checkReason(window.reason());
        checkRetryAfter(window.retryAfter());
        window.until().ifPresent(until -> checkUntil(until, now));
        Optional<MaintenanceWindow> present = current.window(window.scope());
        if (present.isPresent() && !present.get().isOver(now)) {
            throw new InvalidWindowException(WINDOW_EXISTS, "a window on %s was opened by %s at %s (%s) and is still open: use extend_maintenance to change it or exit_maintenance to end it"
                    .formatted(window.scope(), present.get().openedBy(), present.get().openedAt(), OneLine.of(present.get().reason())));
        }
        if (present.isEmpty() && current.windows().size() >= MAX_WINDOWS) {
            throw new InvalidWindowException(TOO_MANY_WINDOWS, "%s windows are open, and no more than that many are accepted: end some, or open one with a wider scope"
                    .formatted(current.windows().size()));
        }
        return new WindowChange(window.scope(), Optional.of(window), present.map(WindowChange::over));
    }

    /**
     * Changes when a window ends, what refused users are told to wait, and whether running writes are killed.
     *
     * @param until the new end; empty to leave it
     * @param untilEnded whether the end is taken away, so that the window stays open until somebody ends it
     * @throws InvalidWindowException when no such window is open, when nothing is to be changed, or when a value is out of its range
     */
    public static WindowChange extend(
            WindowSnapshot current,
            WindowScope scope,
            Optional<Instant> until,
            boolean untilEnded,
            Optional<Duration> retryAfter,
            Optional<Boolean> killRunningWrites,
            String user,
            Instant now)
    {
        requireNonNull(user, "user is null");
        if (until.isEmpty() && !untilEnded && retryAfter.isEmpty() && killRunningWrites.isEmpty()) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "nothing is to be changed: give until, until_ended, retry_after or kill_running_writes");
        }
        if (until.isPresent() && untilEnded) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "until and until_ended exclude each other: give one of them");
        }
        until.ifPresent(end -> checkUntil(end, now));
        retryAfter.ifPresent(WindowChange::checkRetryAfter);
        MaintenanceWindow present = present(current, scope, now);
        return new WindowChange(
                scope,
                Optional.of(new MaintenanceWindow(
                        present.id(),
                        scope,
                        present.reason(),
                        present.openedBy(),
                        present.openedAt(),
                        untilEnded ? Optional.empty() : until.or(present::until),
                        retryAfter.orElse(present.retryAfter()),
                        killRunningWrites.orElse(present.killRunningWrites()),
                        Optional.of(user),
                        present.warning())),
                Optional.empty());
    }

    /**
     * @throws InvalidWindowException when no such window is open
     */
    public static WindowChange end(WindowSnapshot current, WindowScope scope, String user, Instant now)
    {
        MaintenanceWindow present = present(current, scope, now);
        return new WindowChange(scope, Optional.empty(), Optional.of(new EndedWindow(present, Optional.of(user), now)));
    }

    private static MaintenanceWindow present(WindowSnapshot current, WindowScope scope, Instant now)
    {
        return current.window(scope)
                .filter(window -> !window.isOver(now))
                .orElseThrow(() -> new InvalidWindowException(NO_SUCH_WINDOW, "no window on %s is open%s".formatted(OneLine.of(scope.toString(), 200), openScopes(current, now))));
    }

    private static String openScopes(WindowSnapshot current, Instant now)
    {
        List<String> scopes = current.windows().stream()
                .filter(window -> !window.isOver(now))
                .map(window -> window.scope().toString())
                .sorted()
                .toList();
        if (scopes.isEmpty()) {
            return ", nor on anything else";
        }
        int shown = Math.min(scopes.size(), 10);
        return "; open are: " + String.join(", ", scopes.subList(0, shown)) + (shown < scopes.size() ? " and %s more".formatted(scopes.size() - shown) : "");
    }

    private static EndedWindow over(MaintenanceWindow window)
    {
        return new EndedWindow(window, Optional.empty(), window.until().orElseThrow());
    }

    private static void checkScope(WindowScope scope)
    {
        String text = scope.toString();
        if (text.length() > MAX_SCOPE_LENGTH) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "scope is %s characters long, it must be at most %s".formatted(text.length(), MAX_SCOPE_LENGTH));
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "scope is '%s', it must not contain control characters: open a window on what is around it".formatted(OneLine.of(text)));
        }
    }

    private static void checkReason(String reason)
    {
        int length = reason.codePointCount(0, reason.length());
        if (OneLine.of(reason).isEmpty() || length > MAX_REASON_LENGTH) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "reason is %s, it must be a text of 1 to %s characters that tells refused users why"
                    .formatted(length > MAX_REASON_LENGTH ? "%s characters long".formatted(length) : "empty", MAX_REASON_LENGTH));
        }
    }

    private static void checkRetryAfter(Duration retryAfter)
    {
        if (retryAfter.compareTo(MIN_RETRY_AFTER) < 0 || retryAfter.compareTo(MAX_RETRY_AFTER) > 0) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "retry_after is %s, it must be a duration from 1s to 7d".formatted(retryAfter));
        }
    }

    private static void checkUntil(Instant until, Instant now)
    {
        if (!until.isAfter(now)) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "until is %s, it must be in the future (it is %s now)".formatted(until, now));
        }
        if (until.isAfter(MAX_UNTIL)) {
            throw new InvalidWindowException(INVALID_ARGUMENT, "until is %s, it must be before the year 10000; leave it out for a window that stays open until somebody ends it".formatted(until));
        }
    }
}
