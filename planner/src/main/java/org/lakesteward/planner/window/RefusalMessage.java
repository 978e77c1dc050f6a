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
import java.time.temporal.ChronoUnit;

/**
 * The sentence that a user reads whose write is refused. It starts with the token by which programs know it, because JDBC gives them
 * no name of an error. What does not depend on the target is made once for a window, since many writes may meet it.
 */
public final class RefusalMessage
{
    public static final String TOKEN = "CLUSTER_IN_MAINTENANCE";

    private final String beforeTarget;
    private final String afterTarget;

    public RefusalMessage(MaintenanceWindow window)
    {
        String subject = window.scope().catalog().isEmpty() ? "the whole cluster" : window.scope().toString();
        beforeTarget = TOKEN + ": writes to " + subject + " are closed for maintenance since " + seconds(window.openedAt()) +
                " (" + OneLine.of(window.reason()) + "), so ";
        afterTarget = " cannot be changed now; reads work; retry after " + words(window.retryAfter()) +
                window.until().map(until -> ", the window ends at " + seconds(until) + " at the latest").orElse("");
    }

    /** What is said of a write to the target, which the window covers. */
    public String text(WindowScope target)
    {
        return beforeTarget + target + afterTarget;
    }

    /** What is said while nobody can tell whether a window is open. */
    public static String ofDoubt(StoreCondition condition)
    {
        return TOKEN + ": " + switch (condition) {
            case NEVER_READ -> "the store of maintenance windows could not be read since this coordinator started, so a window may be open; reads work, writes are refused until the store answers";
            case TOO_STALE -> "the store of maintenance windows has not answered this coordinator for longer than window.max-staleness, so a window may be open; reads work, writes are refused until the store answers";
            case KNOWN, IGNORED -> throw new IllegalArgumentException("no doubt: " + condition);
        };
    }

    private static Instant seconds(Instant instant)
    {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** A duration in words, to the second, rounded up: {@code 30 seconds}, {@code 1 hour 5 minutes}. */
    static String words(Duration duration)
    {
        long seconds = duration.getNano() == 0 ? duration.toSeconds() : duration.toSeconds() + 1;
        return DurationWords.of(Duration.ofSeconds(seconds));
    }
}
