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
package org.lakesteward.access.check;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.RefusalMessage;
import org.lakesteward.planner.window.StoreCondition;
import org.lakesteward.planner.window.WindowView;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.window.StoreCondition.IGNORED;
import static org.lakesteward.planner.window.StoreCondition.KNOWN;
import static org.lakesteward.planner.window.StoreCondition.NEVER_READ;
import static org.lakesteward.planner.window.StoreCondition.TOO_STALE;

/**
 * The windows as this coordinator knows them, in memory. One thread publishes, every check reads.
 * <p>
 * Knowledge counts as fresh as long as the store both takes this coordinator's reports and tells its windows: the others stop to
 * wait for a coordinator whose last report is too old, and by then it must have stopped to let writes through.
 * Whether it is too old is found out at the check, not by whoever publishes: a publisher that hangs must not keep
 * writes open. Ages are monotonic, so a stepped wall clock opens nothing.
 * <p>
 * Thread-safe; reading takes no lock, does no I/O and allocates nothing.
 */
public class CurrentWindows
{
    private final Ticker ticker;
    private final long maxStalenessNanos;

    private volatile Published published = new Published(new WindowView(NEVER_READ, ImmutableList.of()));
    private volatile long contactNanos;
    private volatile boolean contacted;
    private OptionalLong reportedNanos = OptionalLong.empty();
    private OptionalLong toldNanos = OptionalLong.empty();

    /**
     * @param maxStaleness after so long without contact to the store, writes are refused
     */
    public CurrentWindows(Ticker ticker, Duration maxStaleness)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.maxStalenessNanos = maxStaleness.toNanos();
    }

    /** From the return of this method on, every check that starts sees these windows. */
    public void publish(List<MaintenanceWindow> windows)
    {
        published = new Published(new WindowView(KNOWN, windows));
    }

    /** Refuses all writes from now on, because this coordinator does not follow the store any more. */
    public void forget()
    {
        published = new Published(new WindowView(NEVER_READ, ImmutableList.of()));
    }

    /** Opens everything, because an operator decided so. */
    public void ignore()
    {
        published = new Published(new WindowView(IGNORED, ImmutableList.of()));
    }

    /**
     * The store took this coordinator's report.
     *
     * @param nanos when the report was sent, by the ticker
     */
    public synchronized void reported(long nanos)
    {
        reportedNanos = OptionalLong.of(nanos);
        updateContact();
    }

    /**
     * The store told its windows.
     *
     * @param nanos when it did, by the ticker
     */
    public synchronized void told(long nanos)
    {
        toldNanos = OptionalLong.of(nanos);
        updateContact();
    }

    private void updateContact()
    {
        // the older of the two: both ways must work
        if (reportedNanos.isPresent() && toldNanos.isPresent()) {
            long reported = reportedNanos.getAsLong();
            long told = toldNanos.getAsLong();
            contactNanos = reported - told < 0 ? reported : told;
        }
        else {
            contactNanos = reportedNanos.isPresent() ? reportedNanos.getAsLong() : toldNanos.getAsLong();
        }
        contacted = true;
    }

    /** Time since the last successful contact with the store; empty before the first. */
    public OptionalLong stalenessNanos()
    {
        return contacted ? OptionalLong.of(Math.max(0, ticker.read() - contactNanos)) : OptionalLong.empty();
    }

    /** The windows that were last published, whatever their age. */
    public List<MaintenanceWindow> windows()
    {
        return published.view().windows();
    }

    public StoreCondition condition()
    {
        return read().view().condition();
    }

    Published read()
    {
        Published current = published;
        if (current.view().condition() == KNOWN && ticker.read() - contactNanos > maxStalenessNanos) {
            return current.stale();
        }
        return current;
    }

    /**
     * @param stale what holds when the view has become too old
     * @param timed whether a window has an end, so that a check must look at the clock
     * @param messages what has been made of the texts of refusals so far
     */
    record Published(WindowView view, Published stale, boolean timed, Map<String, RefusalMessage> messages)
    {
        Published(WindowView view)
        {
            this(
                    view,
                    new Published(new WindowView(TOO_STALE, view.windows()), null, false, ImmutableMap.of()),
                    view.windows().stream().anyMatch(window -> window.until().isPresent()),
                    new ConcurrentHashMap<>());
        }

        /** What is said of writes that the window, one of the view, refuses. */
        RefusalMessage message(MaintenanceWindow window)
        {
            return messages.computeIfAbsent(window.id(), _ -> new RefusalMessage(window));
        }
    }
}
