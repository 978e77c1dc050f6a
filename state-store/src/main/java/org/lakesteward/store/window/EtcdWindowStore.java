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
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdEntry;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.etcd.EtcdFailure.Kind;
import org.lakesteward.store.etcd.EtcdRange;
import org.lakesteward.store.etcd.RangeStamp;

import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;

/**
 * Windows in etcd: for a lake with any number of coordinators. Under the prefix of the lake stand
 * <ul>
 * <li>{@code windows/<scope>}: a window that nobody has ended,
 * <li>{@code ended/<time>-<id>}: a window of the past,
 * <li>{@code acknowledgements/<coordinator>}: the last report of a coordinator,
 * <li>{@code coordinators/<coordinator>}: there while the coordinator is live, by a lease,
 * <li>{@code changes/<number>}: there while a change is made, see {@link #change}.
 * </ul>
 * Reads are linearizable and belong to one revision. A report that cannot be read counts as a lost coordinator. No method waits longer than about twenty times the timeout of an operation.
 */
public final class EtcdWindowStore
        implements WindowStore
{
    /** A window takes 34 KiB at most, a report 1 MiB: a page of the largest fits into the connection's answers of 16 MiB. */
    private static final int WINDOWS_PER_PAGE = 128;
    private static final int REPORTS_PER_PAGE = 8;
    /** Writers of different scopes that pass the planner's check of the number at the same moment may exceed it. */
    private static final int MAX_WINDOWS = 2 * WindowChange.MAX_WINDOWS;
    private static final int MAX_COORDINATORS = 1000;
    /** Below etcd's limit of 128 operations for a transaction. */
    private static final int MAX_PRUNED = 100;

    private static final int MAX_TRIES = 50;
    private static final int MAX_REPORT_TRIES = 10;
    private static final Duration MAX_MARKER_LIFE = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String TOOK_PLACE = "took place";
    private static final String GIVEN_UP = "given up";

    private final EtcdConnection connection;
    private final String windowsPrefix;
    private final String endedPrefix;
    private final String acknowledgementsPrefix;
    private final String coordinatorsPrefix;
    private final String changesPrefix;
    private final Duration presenceTimeout;
    private final Map<String, Presence> presences = new ConcurrentHashMap<>();
    private final UnreadableReports unreadableReports = new UnreadableReports();
    private final Set<EtcdWindowWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param connection closed with the store
     * @param prefix what all keys of the lake begin with; begins with a slash and does not end with one
     * @param presenceTimeout at least two seconds, the shortest that etcd takes; rounded up to seconds
     */
    public EtcdWindowStore(EtcdConnection connection, String prefix, Duration presenceTimeout)
    {
        this.connection = requireNonNull(connection, "connection is null");
        checkArgument(prefix.startsWith("/") && !prefix.endsWith("/"), "prefix is '%s', it must begin with a slash and not end with one", prefix);
        checkArgument(presenceTimeout.compareTo(Duration.ofSeconds(2)) >= 0, "presenceTimeout is %s, it must be at least two seconds", presenceTimeout);
        this.windowsPrefix = prefix + "/windows/";
        this.endedPrefix = prefix + "/ended/";
        this.acknowledgementsPrefix = prefix + "/acknowledgements/";
        this.coordinatorsPrefix = prefix + "/coordinators/";
        this.changesPrefix = prefix + "/changes/";
        this.presenceTimeout = presenceTimeout;
    }

    @Override
    public WindowSnapshot read()
    {
        return translated(() -> stored(Deadline.after(connection.timeout().multipliedBy(3))).snapshot());
    }

    /**
     * {@inheritDoc}
     * <p>
     * The transaction of a change is guarded by the revision of its scope's key, and puts a marker of its own. When its answer is
     * lost, a second transaction asks for the marker and, if it is not there, puts one that says that the change was given up: the
     * first transaction, which may still be on its way, is refused from then on. So the change either took place for certain or never
     * will. Markers have a lease, which also refuses transactions that are later still.
     */
    @Override
    public WindowChange change(Function<WindowSnapshot, WindowChange> change)
    {
        requireNonNull(change, "change is null");
        return translated(() -> {
            Deadline deadline = Deadline.after(connection.timeout().multipliedBy(6));
            Optional<Long> lease = Optional.empty();
            try {
                for (int tries = 0; tries < MAX_TRIES; tries++) {
                    Stored stored = stored(deadline);
                    WindowChange result = change.apply(stored.snapshot());
                    if (lease.isEmpty()) {
                        lease = Optional.of(grantMarkerLease(deadline));
                    }
                    if (tookPlace(stored, result, lease.get(), deadline)) {
                        return result;
                    }
                    // others were faster: not all of them at the same moment again
                    connection.pause(Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 5 * (tries + 2))), "changing a window");
                }
                throw new WindowStoreException("the window was changed by others %s times while this change was computed: nothing was changed, try again".formatted(MAX_TRIES));
            }
            finally {
                // with the markers
                lease.ifPresent(granted -> connection.forget(client -> client.getLeaseClient().revoke(granted)));
            }
        });
    }

    private long grantMarkerLease(Deadline deadline)
    {
        // far longer than all tries of one change together
        long seconds = Math.max(MAX_MARKER_LIFE.toSeconds(), connection.timeout().multipliedBy(20).toSeconds());
        return connection.repeat("changing a window", deadline, client -> client.getLeaseClient().grant(seconds)).getID();
    }

    private boolean tookPlace(Stored stored, WindowChange change, long lease, Deadline deadline)
    {
        String marker = changesPrefix + UUID.randomUUID();
        String scope = change.scope().toString();
        String key = windowsPrefix + scope;
        List<Op> operations = new ArrayList<>();
        operations.add(put(marker, TOOK_PLACE.getBytes(UTF_8), lease));
        operations.add(change.put()
                .<Op>map(window -> put(key, WindowCodec.encode(window), 0))
                .orElseGet(() -> Op.delete(bytes(key), DeleteOption.DEFAULT)));
        change.ended().ifPresent(ended -> {
            operations.add(put(endedPrefix + endedKey(ended), WindowCodec.encode(ended), 0));
            stored.endedKeys().stream()
                    .limit(Math.clamp(stored.endedKeys().size() + 1L - MAX_ENDED, 0, MAX_PRUNED))
                    .forEach(oldest -> operations.add(Op.delete(bytes(endedPrefix + oldest), DeleteOption.DEFAULT)));
        });
        try {
            TxnResponse response = connection.call("changing a window", deadline, client -> client.getKVClient().txn()
                    .If(
                            new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.modRevision(stored.revisions().getOrDefault(scope, 0L))),
                            absent(marker))
                    .Then(operations.toArray(Op[]::new))
                    .Else(Op.get(bytes(marker), GetOption.DEFAULT))
                    .commit());
            // gRPC repeats requests by itself at times, so that this may be the refusal of a repetition
            return response.isSucceeded() || says(response, TOOK_PLACE);
        }
        catch (EtcdFailure e) {
            if (e.kind() != Kind.NO_ANSWER) {
                throw e;
            }
            return resolve(marker, lease, e);
        }
    }

    /** Whether the change of a marker took place; if not, it never will. */
    private boolean resolve(String marker, long lease, EtcdFailure lost)
    {
        Deadline deadline = Deadline.after(connection.timeout().multipliedBy(6));
        while (true) {
            try {
                TxnResponse response = connection.call("finding out whether a window was changed", deadline, client -> client.getKVClient().txn()
                        .If(absent(marker))
                        .Then(put(marker, GIVEN_UP.getBytes(UTF_8), lease))
                        .Else(Op.get(bytes(marker), GetOption.DEFAULT))
                        .commit());
                return !response.isSucceeded() && says(response, TOOK_PLACE);
            }
            catch (EtcdFailure e) {
                // without the lease, the marker is gone too
                if (e.kind() != Kind.NO_ANSWER || !connection.mayRepeat(deadline) || closed) {
                    lost.addSuppressed(e);
                    throw unknown(lost);
                }
            }
            pauseAfter(lost);
        }
    }

    private void pauseAfter(EtcdFailure lost)
    {
        try {
            connection.pause(PAUSE, "finding out what became of a lost request");
        }
        catch (EtcdFailure interrupted) {
            throw unknown(lost);
        }
    }

    private static boolean says(TxnResponse response, String text)
    {
        return response.getGetResponses().stream()
                .flatMap(answer -> answer.getKvs().stream())
                .anyMatch(pair -> pair.getValue().toString(UTF_8).equals(text));
    }

    @Override
    public void report(CoordinatorReport report)
    {
        byte[] document = WindowCodec.encode(report);
        translated(() -> {
            Presence presence = presences.computeIfAbsent(report.coordinatorId(), _ -> new Presence());
            // one after the other, each for a bounded time
            synchronized (presence) {
                report(report.coordinatorId(), document, presence);
            }
            return null;
        });
    }

    private void report(String coordinatorId, byte[] document, Presence presence)
    {
        String key = acknowledgementsPrefix + coordinatorId;
        Deadline deadline = Deadline.after(connection.timeout().multipliedBy(3));
        Optional<EtcdFailure> lost = Optional.empty();
        for (int tries = 0; tries < MAX_REPORT_TRIES; tries++) {
            try {
                if (presence.reportRevision.isEmpty()) {
                    presence.reportRevision = Optional.of(replaceable(connection.get("reporting", key, deadline)));
                }
                long lease = presence.renewed(deadline);
                // the guard keeps a late request from replacing a later report
                TxnResponse response = connection.call("reporting", deadline, client -> client.getKVClient().txn()
                        .If(new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.modRevision(presence.reportRevision.get())))
                        .Then(
                                put(key, document, 0),
                                put(coordinatorsPrefix + coordinatorId, new byte[0], lease))
                        .commit());
                if (response.isSucceeded()) {
                    presence.reportRevision = Optional.of(response.getHeader().getRevision());
                    return;
                }
                presence.reportRevision = Optional.empty();
            }
            catch (EtcdFailure e) {
                presence.reportRevision = Optional.empty();
                switch (e.kind()) {
                    case LEASE_GONE -> presence.lease = Optional.empty();
                    case NO_ANSWER -> {
                        lost = Optional.of(e);
                        if (!connection.mayRepeat(deadline) || closed) {
                            throw unknown(e);
                        }
                        pauseAfter(e);
                    }
                    case COMPACTED, INVALID, EXHAUSTED, REFUSED -> throw lost.map(EtcdWindowStore::unknown).orElseGet(() -> new WindowStoreException(e.getMessage(), e));
                }
            }
        }
        throw new WindowStoreException("the report of coordinator %s could not be stored in %s tries, because others replaced it or its presence expired: does another coordinator have the same id?".formatted(coordinatorId, MAX_REPORT_TRIES));
    }

    private static long replaceable(Optional<EtcdEntry> present)
    {
        if (present.isPresent() && WindowCodec.isNewer(present.get().value())) {
            throw WindowCodec.newer("key " + present.get().key());
        }
        return present.map(EtcdEntry::modRevision).orElse(0L);
    }

    @Override
    public void remove(String coordinatorId)
    {
        requireNonNull(coordinatorId, "coordinatorId is null");
        translated(() -> {
            Deadline deadline = Deadline.after(connection.timeout().multipliedBy(3));
            if (presences.containsKey(coordinatorId)) {
                // it stops, and could not report itself: the report of a newer version is not its own
                replaceable(connection.get("removing a coordinator", acknowledgementsPrefix + coordinatorId, deadline));
            }
            try {
                connection.repeat("removing a coordinator", deadline, client -> client.getKVClient().txn()
                        .Then(
                                Op.delete(bytes(acknowledgementsPrefix + coordinatorId), DeleteOption.DEFAULT),
                                Op.delete(bytes(coordinatorsPrefix + coordinatorId), DeleteOption.DEFAULT))
                        .commit());
            }
            catch (EtcdFailure e) {
                throw e.kind() == Kind.NO_ANSWER ? unknown(e) : e;
            }
            // its lease expires by itself
            presences.remove(coordinatorId);
            return null;
        });
    }

    @Override
    public Watch watch(Listener listener)
    {
        requireNonNull(listener, "listener is null");
        checkOpen();
        EtcdWindowWatch watch = new EtcdWindowWatch(connection, windowsPrefix, this::windows, listener, watches::remove);
        watches.add(watch);
        watch.start();
        if (closed) {
            watch.close();
        }
        return watch;
    }

    @Override
    public void close()
    {
        closed = true;
        watches.forEach(EtcdWindowWatch::close);
        connection.close();
    }

    private void checkOpen()
    {
        if (closed) {
            throw new WindowStoreException("the store of windows in etcd is closed");
        }
    }

    private <T> T translated(Supplier<T> action)
    {
        checkOpen();
        try {
            return action.get();
        }
        catch (EtcdFailure e) {
            throw new WindowStoreException(e.getMessage(), e);
        }
    }

    private static WindowStoreException unknown(EtcdFailure failure)
    {
        return new WindowStoreException(failure.getMessage() + " (the outcome is unknown)", failure);
    }

    /**
     * @param revisions of the keys of the windows, by scope
     * @param endedKeys oldest first
     */
    private record Stored(WindowSnapshot snapshot, Map<String, Long> revisions, List<String> endedKeys) {}

    private Stored stored(Deadline deadline)
    {
        while (true) {
            try {
                return storedAtOneRevision(deadline);
            }
            catch (EtcdFailure e) {
                // compacted between two pages, or perhaps only this connection is lost
                boolean passing = e.kind() == Kind.COMPACTED || e.kind() == Kind.NO_ANSWER;
                if (!passing || !connection.mayRepeat(deadline) || closed) {
                    throw e;
                }
            }
            connection.pause(PAUSE, "reading the windows");
        }
    }

    private Stored storedAtOneRevision(Deadline deadline)
    {
        EtcdRange windows = windowsRange(deadline);
        Optional<Long> revision = Optional.of(windows.revision());
        EtcdRange ended = connection.range("reading the past windows", endedPrefix, WINDOWS_PER_PAGE, MAX_WINDOWS, revision, deadline);
        EtcdRange reports = connection.range("reading the reports", acknowledgementsPrefix, REPORTS_PER_PAGE, MAX_COORDINATORS, revision, deadline);
        Set<String> live = connection.range("reading the coordinators", coordinatorsPrefix, MAX_COORDINATORS, MAX_COORDINATORS, revision, deadline).entries().stream()
                .map(EtcdEntry::key)
                .collect(toImmutableSet());
        WindowSnapshot snapshot = new WindowSnapshot(
                decode(windows),
                ended.entries().stream()
                        .map(entry -> WindowCodec.decodeEnded(entry.value(), "key " + endedPrefix + entry.key()))
                        .sorted(Comparator.comparing(EndedWindow::endedAt).reversed())
                        .limit(MAX_ENDED)
                        .collect(toImmutableList()),
                reports.entries().stream()
                        .map(entry -> state(entry, live))
                        .sorted(Comparator.comparing(state -> state.report().coordinatorId()))
                        .collect(toImmutableList()));
        unreadableReports.retain(reports.entries().stream().map(EtcdEntry::key).collect(toImmutableSet()));
        return new Stored(
                snapshot,
                windows.entries().stream().collect(toImmutableMap(EtcdEntry::key, EtcdEntry::modRevision)),
                ended.entries().stream().map(EtcdEntry::key).collect(toImmutableList()));
    }

    private CoordinatorState state(EtcdEntry entry, Set<String> live)
    {
        try {
            CoordinatorReport report = WindowCodec.decodeReport(entry.value(), "key " + acknowledgementsPrefix + entry.key());
            return new CoordinatorState(report, live.contains(report.coordinatorId()));
        }
        catch (WindowStoreException e) {
            // nobody knows how old it is, so its silence never counts as long
            return unreadableReports.state(entry.key(), Instant.now(), e);
        }
    }

    private EtcdWindowWatch.Reading windows()
    {
        EtcdRange range = windowsRange(Deadline.after(connection.timeout()));
        return new EtcdWindowWatch.Reading(range.revision(), RangeStamp.of(range), decode(range));
    }

    private EtcdRange windowsRange(Deadline deadline)
    {
        return connection.range("reading the windows", windowsPrefix, WINDOWS_PER_PAGE, MAX_WINDOWS, Optional.empty(), deadline);
    }

    private List<MaintenanceWindow> decode(EtcdRange windows)
    {
        ImmutableList.Builder<MaintenanceWindow> decoded = ImmutableList.builder();
        for (EtcdEntry entry : windows.entries()) {
            MaintenanceWindow window = WindowCodec.decodeWindow(entry.value(), "key " + windowsPrefix + entry.key());
            if (!window.scope().toString().equals(entry.key())) {
                throw new WindowStoreException("key %s%s holds a window on %s: %s".formatted(windowsPrefix, entry.key(), window.scope(), WindowCodec.WINDOW_REMEDY));
            }
            decoded.add(window);
        }
        return decoded.build().stream()
                .sorted(Comparator.comparing(window -> window.scope().toString()))
                .collect(toImmutableList());
    }

    /** In the order of time. Any text may be an id. */
    private static String endedKey(EndedWindow ended)
    {
        Instant endedAt = ended.endedAt();
        return "%013d.%09d-%s".formatted(Math.max(0, endedAt.getEpochSecond()), endedAt.getNano(), URLEncoder.encode(ended.window().id(), UTF_8));
    }

    private static Op.PutOp put(String key, byte[] value, long lease)
    {
        return Op.put(bytes(key), ByteSequence.from(value), PutOption.builder().withLeaseId(lease).build());
    }

    private static Cmp absent(String key)
    {
        return new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
    }

    /**
     * What this process knows of a coordinator that reports through it. Guarded by itself.
     */
    private final class Presence
    {
        private Optional<Lease> lease = Optional.empty();
        /** Of the key of the report; zero when there is none, empty when it is not known. */
        private Optional<Long> reportRevision = Optional.empty();

        private long renewed(Deadline deadline)
        {
            Deadline end = Deadline.after(presenceTimeout);
            // past its time the lease is not asked for, whatever etcd would say
            if (lease.isPresent() && !lease.get().end().isOver()) {
                long id = lease.get().id();
                connection.call("renewing the presence", deadline, client -> client.getLeaseClient().keepAliveOnce(id));
                lease = Optional.of(new Lease(id, end));
                return id;
            }
            long seconds = presenceTimeout.plusMillis(999).toSeconds();
            long id = connection.call("announcing the presence", deadline, client -> client.getLeaseClient().grant(seconds)).getID();
            lease = Optional.of(new Lease(id, end));
            return id;
        }
    }

    /**
     * @param end counted from before the lease was asked for
     */
    private record Lease(long id, Deadline end) {}
}
