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

import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowSnapshot;

import java.util.List;
import java.util.function.Function;

/**
 * Maintenance windows and the reports of the coordinators that obey them. Everything in it survives restarts.
 * Every method that throws {@link WindowStoreException} leaves the store as it was, unless the exception says that the outcome is unknown.
 * Thread-safe.
 */
public interface WindowStore
        extends AutoCloseable
{
    /** How many windows of the past are kept. */
    int MAX_ENDED = 100;

    /**
     * Reads everything as of one moment, not before the call. In place of a coordinator whose report cannot be read stands one that is
     * not live and has acknowledged nothing.
     */
    WindowSnapshot read();

    /**
     * Applies a change that is computed from what the store holds, and computes it again when somebody else was faster.
     * When the answer of the store is lost, reads again and tells for certain whether the change took place.
     *
     * @param change may be called several times; what it throws comes out and changes nothing
     * @return the change that was applied
     */
    WindowChange change(Function<WindowSnapshot, WindowChange> change);

    /**
     * Stores a coordinator's report in place of its last one and renews its presence: for the presence timeout of the store's
     * configuration from now, counted from before the call was sent, the coordinator counts as live.
     */
    void report(CoordinatorReport report);

    /**
     * Takes a coordinator out, because it stops in good order or because an operator knows that it is gone.
     * Nothing happens when it is not there. A report of a newer version is taken out only under the identity that {@link #read}
     * gives it, and not by a coordinator that reports under the same identity.
     */
    void remove(String coordinatorId);

    /**
     * Calls the listener with the windows of the store: once when they have been read for the first time, again soon
     * (below a second) after each change, and every few seconds when nothing changes, from one thread at a time, until the
     * result is closed. Survives the store's restarts, lost connections and the compaction of its history; returns at once even
     * if the store cannot be reached.
     */
    Watch watch(Listener listener);

    @Override
    void close();

    /**
     * Told about windows. Must not block.
     */
    interface Listener
    {
        /**
         * The store was asked just now and holds these windows. Each call is a proof of contact, so the time since the last one
         * says how stale the windows may be; most calls bring the same windows again, and then the same list instance.
         */
        void onWindows(List<MaintenanceWindow> windows);

        /** The store could not be asked; called again for each attempt that fails. What was known holds. */
        void onFailure(WindowStoreException failure);
    }

    interface Watch
            extends AutoCloseable
    {
        @Override
        void close();
    }
}
