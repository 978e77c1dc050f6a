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
package org.lakesteward.store.state.etcd;

import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.watch.WatchEvent.EventType;
import io.etcd.jetcd.watch.WatchResponse;
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.state.Change;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StateWatch;
import org.lakesteward.store.state.WatchEvent;
import org.lakesteward.store.state.WatchEvent.Reason;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Follows keys in etcd, in one watch of jetcd after the other: each takes up where the changes that were told end. A watch of jetcd that
 * has met an error is never used again.
 */
final class EtcdStateWatch
        implements StateWatch
{
    /** Of the changes that wait to be fetched. With more, the rest is read from etcd again once these have been fetched. */
    private static final long MAX_WAITING_BYTES = 8 * 1024 * 1024;
    private static final Duration MIN_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

    private final EtcdConnection connection;
    private final String storePrefix;
    private final String prefix;
    private final Runnable onEvent;
    private final Consumer<EtcdStateWatch> onClose;

    /** Held for moments only, never while jetcd is called, whose threads take it. */
    private final Object monitor = new Object();
    // guarded by the monitor
    private boolean closed;
    private Optional<Source> source = Optional.empty();

    // of whoever fetches
    private long nextRevision;
    private boolean ended;
    private boolean disconnected;
    private Duration pause = MIN_PAUSE;
    private Deadline connectAt = Deadline.after(Duration.ZERO);

    EtcdStateWatch(EtcdConnection connection, String storePrefix, String prefix, long fromRevision, Runnable onEvent, Consumer<EtcdStateWatch> onClose)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.storePrefix = requireNonNull(storePrefix, "storePrefix is null");
        this.prefix = requireNonNull(prefix, "prefix is null");
        this.nextRevision = fromRevision;
        this.onEvent = requireNonNull(onEvent, "onEvent is null");
        this.onClose = requireNonNull(onClose, "onClose is null");
    }

    @Override
    public Optional<WatchEvent> next(Duration timeout)
    {
        Deadline deadline = Deadline.after(timeout);
        while (true) {
            checkState(!ended, "the watch has ended, the keys must be read again");
            Optional<Source> current = source();
            if (current.isEmpty() && connectAt.isOver()) {
                current = connect();
            }
            if (current.isPresent() && current.get().isUnanswered()) {
                current.get().abandon();
            }
            Duration limit = current.isPresent() || deadline.left().compareTo(connectAt.left()) < 0 ? deadline.left() : connectAt.left();
            if (current.isPresent()) {
                limit = current.get().untilAnswered(limit);
            }
            Optional<Message> message = poll(current, limit);
            Optional<WatchEvent> event = message.flatMap(this::event);
            if (event.isPresent()) {
                return event;
            }
            if (message.isEmpty() && (deadline.isOver() || Thread.currentThread().isInterrupted())) {
                return Optional.empty();
            }
        }
    }

    private Optional<Source> source()
    {
        synchronized (monitor) {
            checkOpen();
            return source;
        }
    }

    private void checkOpen()
    {
        if (closed) {
            throw new StateStoreException(Kind.CLOSED, "the watch is closed");
        }
    }

    private Optional<Source> connect()
    {
        Source connecting = new Source();
        synchronized (monitor) {
            source = Optional.of(connecting);
        }
        connecting.connect();
        return Optional.of(connecting);
    }

    /** Waits for a message, or only waits where none can come. */
    private Optional<Message> poll(Optional<Source> current, Duration limit)
    {
        Deadline deadline = Deadline.after(limit);
        synchronized (monitor) {
            while (true) {
                checkOpen();
                Optional<Message> message = current.flatMap(Source::poll);
                if (message.isPresent() || deadline.isOver()) {
                    return message;
                }
                try {
                    NANOSECONDS.timedWait(monitor, deadline.left().toNanos());
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return Optional.empty();
                }
            }
        }
    }

    /** What a message means; empty when it is nothing to tell. */
    private Optional<WatchEvent> event(Message message)
    {
        return switch (message) {
            case Created created -> {
                disconnected = false;
                pause = MIN_PAUSE;
                if (created.revision() + 1 < nextRevision) {
                    yield Optional.of(end(Reason.STORE_WENT_BACK, 0));
                }
                yield Optional.empty();
            }
            case Changed changed -> {
                nextRevision = changed.revision() + 1;
                yield Optional.of(new WatchEvent.Changes(changed.revision(), changed.changes()));
            }
            case Overflow _ -> {
                disconnect();
                connectAt = Deadline.after(Duration.ZERO);
                yield Optional.empty();
            }
            case End end -> ended(end.failure());
        };
    }

    private Optional<WatchEvent> ended(EtcdFailure failure)
    {
        switch (failure.kind()) {
            case COMPACTED -> {
                return Optional.of(end(Reason.COMPACTED, failure.getCause() instanceof CompactedException compacted ? compacted.getCompactedRevision() : 0));
            }
            case EXHAUSTED -> {
                // all that was missed comes at once, and would again
                return Optional.of(end(Reason.TOO_LARGE, 0));
            }
            default -> {
                disconnect();
                connectAt = Deadline.after(pause);
                Duration twice = pause.multipliedBy(2);
                pause = twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
                if (disconnected) {
                    return Optional.empty();
                }
                disconnected = true;
                return Optional.of(new WatchEvent.Disconnected(EtcdStateStore.failure(failure, false)));
            }
        }
    }

    private WatchEvent end(Reason reason, long oldestRevision)
    {
        disconnect();
        ended = true;
        return new WatchEvent.RereadRequired(reason, oldestRevision);
    }

    private void disconnect()
    {
        Optional<Source> last;
        synchronized (monitor) {
            last = source;
            source = Optional.empty();
        }
        last.ifPresent(Source::close);
    }

    @Override
    public void close()
    {
        synchronized (monitor) {
            closed = true;
            monitor.notifyAll();
        }
        disconnect();
        onClose.accept(this);
    }

    private sealed interface Message
    {
        default long bytes()
        {
            return 0;
        }
    }

    private record Created(long revision)
            implements Message {}

    private record Changed(long revision, List<Change> changes, long bytes)
            implements Message {}

    /** More changes than are kept. */
    private record Overflow()
            implements Message {}

    private record End(EtcdFailure failure)
            implements Message {}

    /**
     * One watch of jetcd, whose threads call it. What it has got is guarded by the monitor.
     */
    private final class Source
    {
        private final Deque<Message> messages = new ArrayDeque<>();
        private long waitingBytes;
        private boolean over;
        /**
         * gRPC pings a connection once etcd has spoken on it, and waits without end for the first word of one that stands still.
         */
        private final Deadline answerDue = Deadline.after(connection.timeout());
        private boolean answered;
        private Optional<EtcdConnection.Following> following = Optional.empty();

        private void connect()
        {
            EtcdConnection.Following started;
            try {
                started = connection.followResponses(prefix, nextRevision, this::onResponse, failure -> add(new End(failure)));
            }
            catch (EtcdFailure e) {
                add(new End(e));
                return;
            }
            boolean late;
            synchronized (monitor) {
                late = closed;
                following = Optional.of(started);
            }
            if (late) {
                started.close();
            }
        }

        private void onResponse(WatchResponse response)
        {
            if (response.isCreatedNotify()) {
                add(new Created(response.getHeader().getRevision()));
                return;
            }
            List<Change> changes = response.getEvents().stream()
                    .filter(event -> event.getEventType() != EventType.UNRECOGNIZED)
                    .map(EtcdStateWatch.this::change)
                    .collect(toImmutableList());
            if (!changes.isEmpty()) {
                add(new Changed(changes.getLast().revision(), changes, changes.stream().mapToLong(EtcdStateWatch::bytes).sum()));
            }
        }

        private void add(Message message)
        {
            synchronized (monitor) {
                if (over) {
                    return;
                }
                boolean overflow = !messages.isEmpty() && waitingBytes + message.bytes() > MAX_WAITING_BYTES;
                over = overflow || message instanceof End;
                answered = true;
                messages.add(overflow ? new Overflow() : message);
                waitingBytes += message.bytes();
                monitor.notifyAll();
            }
            onEvent.run();
        }

        private boolean isUnanswered()
        {
            synchronized (monitor) {
                return !answered && !over && answerDue.isOver();
            }
        }

        /** The shorter of a duration and the time that is left for the first answer. */
        private Duration untilAnswered(Duration limit)
        {
            synchronized (monitor) {
                return answered || over || limit.compareTo(answerDue.left()) < 0 ? limit : answerDue.left();
            }
        }

        private void abandon()
        {
            Optional<EtcdConnection.Following> last;
            synchronized (monitor) {
                last = following;
            }
            add(new End(connection.unansweredWatch()));
            last.ifPresent(EtcdConnection.Following::abandon);
        }

        private Optional<Message> poll()
        {
            Optional<Message> message = Optional.ofNullable(messages.poll());
            waitingBytes -= message.map(Message::bytes).orElse(0L);
            return message;
        }

        private void close()
        {
            Optional<EtcdConnection.Following> last;
            synchronized (monitor) {
                over = true;
                last = following;
            }
            last.ifPresent(EtcdConnection.Following::close);
        }
    }

    private Change change(io.etcd.jetcd.watch.WatchEvent event)
    {
        if (event.getEventType() == EventType.DELETE) {
            return new Change.Deleted(event.getKeyValue().getKey().toString(UTF_8).substring(storePrefix.length()), event.getKeyValue().getModRevision());
        }
        return new Change.Put(EtcdStateStore.entry(event.getKeyValue(), storePrefix));
    }

    private static long bytes(Change change)
    {
        return switch (change) {
            case Change.Put put -> put.entry().bytes();
            case Change.Deleted deleted -> deleted.key().length();
        };
    }
}
