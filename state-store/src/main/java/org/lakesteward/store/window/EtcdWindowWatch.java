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

import io.airlift.log.Logger;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.etcd.RangeStamp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Reads the windows and follows their keys from the next revision on. An event says only that something has changed; what holds
 * is read. Whatever ends the watch (an error, a lost connection, compaction), the windows are read again and followed anew. Every
 * two seconds etcd is asked whether the keys are still those that were read: that proves the contact, and shows a watch
 * that has died silently.
 */
final class EtcdWindowWatch
        implements WindowStore.Watch
{
    private static final Logger log = Logger.get(EtcdWindowWatch.class);

    private static final Duration CONTACT_INTERVAL = Duration.ofSeconds(2);
    private static final Duration MIN_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

    private final EtcdConnection connection;
    private final String prefix;
    private final Supplier<Reading> reader;
    private final WindowStore.Listener listener;
    private final Consumer<EtcdWindowWatch> onClose;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Signals signals = new Signals();
    // of the thread of the watch
    private Reading last;

    EtcdWindowWatch(EtcdConnection connection, String prefix, Supplier<Reading> reader, WindowStore.Listener listener, Consumer<EtcdWindowWatch> onClose)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.prefix = requireNonNull(prefix, "prefix is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.onClose = requireNonNull(onClose, "onClose is null");
    }

    record Reading(long revision, RangeStamp stamp, List<MaintenanceWindow> windows)
    {
        Reading
        {
            requireNonNull(stamp, "stamp is null");
            requireNonNull(windows, "windows is null");
        }
    }

    void start()
    {
        Thread.ofPlatform()
                .name("maintenance-window-watch-etcd")
                .daemon()
                .start(this::run);
    }

    @Override
    public void close()
    {
        closed.countDown();
        signals.end();
        onClose.accept(this);
    }

    private boolean isClosed()
    {
        return closed.getCount() == 0;
    }

    private void run()
    {
        Duration pause = MIN_PAUSE;
        while (!isClosed()) {
            try {
                read();
                pause = MIN_PAUSE;
                follow();
            }
            catch (WindowStoreException e) {
                tell(e);
                pause = longer(pause);
            }
            catch (EtcdFailure e) {
                tell(new WindowStoreException(e.getMessage(), e));
                pause = longer(pause);
            }
            catch (RuntimeException e) {
                tell(new WindowStoreException("the maintenance windows in etcd cannot be watched", e));
                pause = longer(pause);
            }
            try {
                if (closed.await(pause.toNanos(), NANOSECONDS)) {
                    return;
                }
            }
            catch (InterruptedException e) {
                // nobody else knows the thread
                return;
            }
        }
    }

    private static Duration longer(Duration pause)
    {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
    }

    private void read()
    {
        Reading reading = reader.get();
        // the same list again, so that listeners see at a glance that nothing has changed
        last = last != null && last.windows().equals(reading.windows()) ? new Reading(reading.revision(), reading.stamp(), last.windows()) : reading;
        tell(last.windows());
    }

    /** Returns when the keys must be read again and followed anew. */
    private void follow()
    {
        Signals current = new Signals();
        signals = current;
        try (EtcdConnection.Following _ = connection.follow(prefix, last.revision() + 1, current::change, current::end)) {
            while (!isClosed()) {
                switch (current.next(CONTACT_INTERVAL)) {
                    case CHANGE -> read();
                    case END -> {
                        return;
                    }
                    case NONE -> {
                        RangeStamp stamp = connection.stamp("asking for changes of the windows", prefix, Deadline.after(connection.timeout()));
                        if (!stamp.equals(last.stamp())) {
                            return;
                        }
                        tell(last.windows());
                    }
                }
            }
        }
    }

    private void tell(List<MaintenanceWindow> windows)
    {
        try {
            if (!isClosed()) {
                listener.onWindows(windows);
            }
        }
        catch (RuntimeException e) {
            log.error(e, "A listener of maintenance windows failed");
        }
    }

    private void tell(WindowStoreException failure)
    {
        try {
            if (!isClosed()) {
                listener.onFailure(failure);
            }
        }
        catch (RuntimeException e) {
            log.error(e, "A listener of maintenance windows failed");
        }
    }

    private enum Signal
    {
        NONE,
        CHANGE,
        END,
    }

    /**
     * What one watch of etcd has said. Many changes are one.
     */
    private static final class Signals
    {
        private final BlockingQueue<Signal> queue = new LinkedBlockingQueue<>();

        private void change()
        {
            queue.add(Signal.CHANGE);
        }

        private void end()
        {
            queue.add(Signal.END);
        }

        private Signal next(Duration limit)
        {
            Signal signal;
            try {
                signal = queue.poll(limit.toNanos(), NANOSECONDS);
            }
            catch (InterruptedException e) {
                return Signal.END;
            }
            if (signal == null) {
                return Signal.NONE;
            }
            // later signals ask for nothing more than the reading that follows, except the end
            while (signal == Signal.CHANGE && !queue.isEmpty()) {
                signal = queue.poll();
            }
            return signal;
        }
    }
}
