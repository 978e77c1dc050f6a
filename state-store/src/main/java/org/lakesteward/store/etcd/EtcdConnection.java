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
package org.lakesteward.store.etcd;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.lakesteward.store.etcd.EtcdFailure.Kind;

import javax.net.ssl.SSLException;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.stream.Collectors.joining;

/**
 * A connection to etcd through jetcd. Every operation ends within the timeout, also on the wire: a request that nobody waits for
 * any more is withdrawn, so that it is not sent when etcd comes back. After a lost connection the next operation makes a
 * new one at once, because gRPC's own way back waits up to two minutes. Thread-safe.
 */
public final class EtcdConnection
        implements AutoCloseable
{
    /** Of an answer. etcd bounds requests to 1.5 MiB, so that pages of up to ten of the largest values fit. */
    public static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;
    private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(10);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    /**
     * jetcd warns of each operation that fails, once a second while etcd is away, though callers are told. Kept, because
     * java.util.logging forgets the level of a logger that nobody holds.
     */
    private static final Logger JETCD_LOGGER = Logger.getLogger("io.etcd.jetcd.impl");

    static {
        if (JETCD_LOGGER.getLevel() == null) {
            JETCD_LOGGER.setLevel(Level.SEVERE);
        }
    }

    private final EtcdSettings settings;
    private final ClientBuilder builder;
    private final String name;
    private final ExecutorService executor;
    private final Object lock = new Object();
    private Client client;
    private boolean closed;

    /**
     * Connects when it is first used.
     *
     * @throws EtcdFailure when the files of the settings cannot be used
     */
    public EtcdConnection(EtcdSettings settings)
    {
        this(settings, MAX_ANSWER_BYTES);
    }

    /**
     * Connects when it is first used.
     *
     * @param maxAnswerBytes larger answers are {@link Kind#EXHAUSTED}
     * @throws EtcdFailure when the files of the settings cannot be used
     */
    public EtcdConnection(EtcdSettings settings, int maxAnswerBytes)
    {
        this.settings = requireNonNull(settings, "settings is null");
        this.name = "etcd at " + settings.endpoints().stream().map(URI::toString).collect(joining(", "));
        this.executor = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("etcd-client-", 0).factory());
        this.builder = builder(settings, maxAnswerBytes, executor);
    }

    private static ClientBuilder builder(EtcdSettings settings, int maxAnswerBytes, ExecutorService executor)
    {
        ClientBuilder builder = Client.builder()
                .endpoints(settings.endpoints())
                .executorService(executor)
                .connectTimeout(settings.timeout())
                .keepaliveTime(KEEP_ALIVE_INTERVAL)
                // etcd closes a connection that is pinged while nothing is asked of it (GOAWAY, too_many_pings)
                .keepaliveWithoutCalls(false)
                .keepaliveTimeout(settings.timeout())
                .maxInboundMessageSize(maxAnswerBytes)
                // whoever calls knows whether repeating is safe
                .retryMaxAttempts(0)
                .waitForReady(false)
                .interceptor(new WithDeadline(settings.timeout()));
        settings.credentials().ifPresent(credentials -> builder
                .user(ByteSequence.from(credentials.user(), UTF_8))
                .password(ByteSequence.from(credentials.password(), UTF_8)));
        if (settings.usesTls()) {
            try {
                builder.sslContext(tls -> {
                    settings.caFile().ifPresent(tls::trustManager);
                    settings.clientCertificate().ifPresent(files -> tls.keyManager(files.certificateFile(), files.keyFile()));
                });
            }
            catch (SSLException | RuntimeException e) {
                throw new EtcdFailure(Kind.REFUSED, "the TLS files for etcd cannot be used: " + oneLine(Throwables.getRootCause(e)), e);
            }
        }
        return builder;
    }

    public Duration timeout()
    {
        return settings.timeout();
    }

    /**
     * Runs an operation once, for the timeout at most and not beyond the deadline.
     *
     * @param what the operation, for messages, such as "reading the windows"
     */
    public <T> T call(String what, Deadline deadline, Function<Client, CompletableFuture<T>> operation)
    {
        try {
            return callOnce(what, deadline, operation);
        }
        catch (Unauthenticated e) {
            // etcd did nothing: it forgets tokens when it restarts, and a new connection gets a new one
            return callOnce(what, deadline, operation);
        }
    }

    /**
     * Runs an operation that may take place several times without harm, and repeats it until there is an answer or the deadline is
     * over.
     */
    public <T> T repeat(String what, Deadline deadline, Function<Client, CompletableFuture<T>> operation)
    {
        while (true) {
            try {
                return call(what, deadline, operation);
            }
            catch (EtcdFailure e) {
                if (e.kind() != Kind.NO_ANSWER || !mayRepeat(deadline) || isClosed()) {
                    throw e;
                }
            }
            pause(RETRY_PAUSE, what);
        }
    }

    /**
     * Whether there is time for another try: one that is cut short would only hide why the one before it failed.
     */
    public boolean mayRepeat(Deadline deadline)
    {
        return deadline.left().compareTo(timeout().plus(RETRY_PAUSE)) >= 0;
    }

    /** Runs an operation whose outcome nobody needs. */
    public void forget(Function<Client, CompletableFuture<?>> operation)
    {
        try {
            operation.apply(client());
        }
        catch (RuntimeException e) {
            // nobody needs it
        }
    }

    /**
     * Reads all keys with a prefix, in pages that belong to one revision.
     *
     * @param pageSize keys in one answer; their values must fit into ten times etcd's limit of a request
     * @param maxKeys more keys than this are refused
     * @param revision empty for the latest one, which is then no older than the call
     */
    public EtcdRange range(String what, String prefix, int pageSize, int maxKeys, Optional<Long> revision, Deadline deadline)
    {
        ByteSequence start = bytes(prefix);
        ByteSequence end = prefixEnd(prefix);
        ImmutableList.Builder<EtcdEntry> entries = ImmutableList.builder();
        long at = revision.orElse(0L);
        int count = 0;
        while (true) {
            GetOption option = GetOption.builder()
                    .withRange(end)
                    .withRevision(at)
                    .withLimit(pageSize)
                    .build();
            ByteSequence from = start;
            GetResponse page = call(what, deadline, client -> client.getKVClient().get(from, option));
            if (at == 0) {
                at = page.getHeader().getRevision();
            }
            count += page.getKvs().size();
            if (count > maxKeys) {
                throw new EtcdFailure(Kind.REFUSED, "%s holds more than %s keys that begin with %s".formatted(name, maxKeys, prefix), null);
            }
            for (KeyValue pair : page.getKvs()) {
                entries.add(entry(pair, prefix));
            }
            if (!page.isMore()) {
                return new EtcdRange(at, entries.build());
            }
            // the first possible key after the last one
            start = page.getKvs().getLast().getKey().concat(ByteSequence.from(new byte[1]));
        }
    }

    /** Reads one key, as of now. */
    public Optional<EtcdEntry> get(String what, String key, Deadline deadline)
    {
        GetResponse response = call(what, deadline, client -> client.getKVClient().get(bytes(key)));
        return response.getKvs().stream()
                .map(pair -> entry(pair, ""))
                .findAny();
    }

    /** Tells whether keys with a prefix have changed, without reading them. */
    public RangeStamp stamp(String what, String prefix, Deadline deadline)
    {
        GetOption option = GetOption.builder()
                .withRange(prefixEnd(prefix))
                .withSortField(GetOption.SortTarget.MOD)
                .withSortOrder(GetOption.SortOrder.DESCEND)
                .withLimit(1)
                .withKeysOnly(true)
                .build();
        GetResponse response = call(what, deadline, client -> client.getKVClient().get(bytes(prefix), option));
        return new RangeStamp(response.getKvs().stream().mapToLong(KeyValue::getModRevision).max().orElse(0), response.getCount());
    }

    /**
     * Follows the keys with a prefix.
     *
     * @param fromRevision the first revision whose changes are told
     * @param onChange called after each change, from any thread; must not block
     * @param onEnd called when the watch tells no more, for whatever reason, perhaps several times; must not block. The caller closes
     * the watch then too
     * @throws EtcdFailure when it cannot be started
     */
    public Following follow(String prefix, long fromRevision, Runnable onChange, Runnable onEnd)
    {
        return followResponses(
                prefix,
                fromRevision,
                response -> {
                    if (!response.getEvents().isEmpty()) {
                        onChange.run();
                    }
                },
                _ -> onEnd.run());
    }

    /**
     * Follows the keys with a prefix.
     *
     * @param prefix ends with a slash or a printable character
     * @param fromRevision the first revision whose changes are told
     * @param onResponse gets every answer, the one that says that the watch was created included; called from any thread, must not block
     * @param onEnd called when the watch tells no more, for whatever reason, perhaps several times; must not block. The caller closes
     * the watch then too, because jetcd takes up a watch again where it was created and not where it has come to
     * @throws EtcdFailure when it cannot be started
     */
    public Following followResponses(String prefix, long fromRevision, Consumer<WatchResponse> onResponse, Consumer<EtcdFailure> onEnd)
    {
        WatchOption option = WatchOption.builder()
                .withRange(prefixEnd(prefix))
                .withRevision(fromRevision)
                .withRequireLeader(true)
                .withCreateNotify(true)
                .build();
        Watch.Listener listener = Watch.listener(
                onResponse,
                failure -> onEnd.accept(watchFailure(failure)),
                () -> onEnd.accept(new EtcdFailure(Kind.NO_ANSWER, "%s has ended a watch".formatted(name), null)));
        try {
            Client used = client();
            Watch.Watcher watcher = used.getWatchClient().watch(bytes(prefix), option, listener);
            return new Following()
            {
                @Override
                public void abandon()
                {
                    watcher.close();
                    drop(used);
                }

                @Override
                public void close()
                {
                    watcher.close();
                }
            };
        }
        catch (EtcdFailure e) {
            throw e;
        }
        catch (RuntimeException e) {
            throw new EtcdFailure(Kind.NO_ANSWER, "%s cannot be watched: %s".formatted(name, oneLine(e)), e);
        }
    }

    private EtcdFailure watchFailure(Throwable cause)
    {
        return new EtcdFailure(kind(code(cause)), "%s has ended a watch: %s".formatted(name, oneLine(cause)), cause);
    }

    /** Of a watch that was not answered within {@link #timeout}. */
    public EtcdFailure unansweredWatch()
    {
        return new EtcdFailure(Kind.NO_ANSWER, "%s did not answer a watch within %s ms".formatted(name, timeout().toMillis()), null);
    }

    public interface Following
            extends AutoCloseable
    {
        /** Closes the watch and has the next operation make a new connection, because this one does not answer. */
        void abandon();

        @Override
        void close();
    }

    /**
     * Waits without taking part in anything.
     *
     * @throws EtcdFailure when the thread is interrupted
     */
    public void pause(Duration duration, String what)
    {
        try {
            Thread.sleep(duration);
        }
        catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    @Override
    public void close()
    {
        Client last;
        synchronized (lock) {
            closed = true;
            last = client;
            client = null;
        }
        if (last != null) {
            last.close();
        }
        executor.shutdownNow();
    }

    private boolean isClosed()
    {
        synchronized (lock) {
            return closed;
        }
    }

    private Client client()
    {
        synchronized (lock) {
            if (closed) {
                throw new EtcdFailure(Kind.REFUSED, "the connection to %s is closed".formatted(name), null);
            }
            if (client == null) {
                client = builder.build();
            }
            return client;
        }
    }

    /** The next operation makes a new connection; operations that others have on this one get no answer. */
    private void drop(Client lost)
    {
        synchronized (lock) {
            if (client != lost) {
                return;
            }
            client = null;
        }
        lost.close();
    }

    private <T> T callOnce(String what, Deadline deadline, Function<Client, CompletableFuture<T>> operation)
    {
        Client used = client();
        Duration limit = deadline.left().compareTo(timeout()) < 0 ? deadline.left() : timeout();
        if (!limit.isPositive()) {
            throw new EtcdFailure(Kind.NO_ANSWER, "%s at %s took too long".formatted(what, name), null);
        }
        try {
            return operation.apply(used).get(limit.toNanos(), NANOSECONDS);
        }
        catch (InterruptedException e) {
            throw interrupted(what, e);
        }
        catch (TimeoutException e) {
            drop(used);
            throw new EtcdFailure(Kind.NO_ANSWER, "%s: %s did not answer within %s ms".formatted(what, name, limit.toMillis()), e);
        }
        catch (ExecutionException e) {
            throw failure(what, used, e.getCause());
        }
        catch (RuntimeException e) {
            // the connection was dropped by another thread
            throw failure(what, used, e);
        }
    }

    private EtcdFailure failure(String what, Client used, Throwable cause)
    {
        Status.Code code = code(cause);
        String message = "%s: %s: %s".formatted(what, name, oneLine(cause));
        if (code == Status.Code.UNAUTHENTICATED) {
            drop(used);
            return new Unauthenticated(message, cause);
        }
        Kind kind = kind(code);
        if (kind == Kind.NO_ANSWER) {
            drop(used);
        }
        return new EtcdFailure(kind, message, cause);
    }

    private static Kind kind(Status.Code code)
    {
        return switch (code) {
            case NOT_FOUND -> Kind.LEASE_GONE;
            case OUT_OF_RANGE -> Kind.COMPACTED;
            case INVALID_ARGUMENT -> Kind.INVALID;
            case RESOURCE_EXHAUSTED -> Kind.EXHAUSTED;
            case UNAUTHENTICATED, ALREADY_EXISTS, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED -> Kind.REFUSED;
            default -> Kind.NO_ANSWER;
        };
    }

    private static Status.Code code(Throwable failure)
    {
        for (Throwable cause : Throwables.getCausalChain(failure)) {
            if (cause instanceof EtcdException etcd) {
                return Status.Code.valueOf(etcd.getErrorCode().name());
            }
        }
        return Status.fromThrowable(failure).getCode();
    }

    private EtcdFailure interrupted(String what, InterruptedException e)
    {
        Thread.currentThread().interrupt();
        return new EtcdFailure(Kind.NO_ANSWER, "%s: interrupted while waiting for %s".formatted(what, name), e);
    }

    /** The deepest cause says what happened; gRPC's own messages say only "io exception". */
    private static String oneLine(Throwable failure)
    {
        Throwable root = Throwables.getRootCause(failure);
        String text = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        String line = text.lines().findFirst().orElse("").strip();
        return line.length() <= 300 ? line : line.substring(0, 300) + "...";
    }

    private static EtcdEntry entry(KeyValue pair, String prefix)
    {
        return new EtcdEntry(pair.getKey().toString(UTF_8).substring(prefix.length()), pair.getValue().getBytes(), pair.getModRevision());
    }

    public static ByteSequence bytes(String text)
    {
        return ByteSequence.from(text, UTF_8);
    }

    /** The first key beyond those with a prefix, which ends with a slash or a printable character. */
    public static ByteSequence prefixEnd(String prefix)
    {
        return bytes(prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1));
    }

    private static final class Unauthenticated
            extends EtcdFailure
    {
        private Unauthenticated(String message, Throwable cause)
        {
            super(Kind.REFUSED, message, cause);
        }
    }

    /**
     * Withdraws requests that take too long. Watches last.
     */
    private record WithDeadline(Duration timeout)
            implements ClientInterceptor
    {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next)
        {
            boolean lasting = "Watch".equals(method.getBareMethodName());
            return next.newCall(method, lasting ? options : options.withDeadlineAfter(timeout.toMillis(), MILLISECONDS));
        }
    }
}
