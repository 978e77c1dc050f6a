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
package org.lakesteward.access.statement;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.MapMaker;
import com.google.inject.Inject;
import io.trino.spi.resourcegroups.QueryType;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;

import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/**
 * The statements that this coordinator has taken and not finished. Thread-safe.
 * <p>
 * Data definition and CALL need care: Trino runs one on a single thread ({@code io.trino.execution.DataDefinitionExecution}), and
 * when somebody kills it, it counts as completed at once, while that thread goes on until the connector returns. A DROP SCHEMA
 * CASCADE drops table after table meanwhile. So a failed one stays here until its thread has left it.
 */
public class StatementTracker
{
    /** A check of a statement that ended meanwhile, for instance because it was killed while it was analyzed, must not bring it back. */
    private static final int FINISHED_REMEMBERED = 10_000;

    private final ConcurrentMap<String, TrackedStatement> statements = new ConcurrentHashMap<>();
    private final Cache<String, TrackedStatement> finished = CacheBuilder.newBuilder()
            .maximumSize(FINISHED_REMEMBERED)
            .build();

    /** Which data definition a thread has checked last. */
    private final ConcurrentMap<Thread, TrackedStatement> threads = new MapMaker().weakKeys().makeMap();
    /** Data definitions that Trino takes for completed and whose threads may go on; they are among the statements, too. */
    private final Set<TrackedStatement> lingering = ConcurrentHashMap.newKeySet();
    private final Predicate<Thread> executesDataDefinition;

    @Inject
    public StatementTracker()
    {
        this(StatementTracker::executesDataDefinition);
    }

    StatementTracker(Predicate<Thread> executesDataDefinition)
    {
        this.executesDataDefinition = requireNonNull(executesDataDefinition, "executesDataDefinition is null");
    }

    private static boolean executesDataDefinition(Thread thread)
    {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("io.trino.execution.DataDefinitionExecution") && frame.getMethodName().equals("start")) {
                return true;
            }
        }
        return false;
    }

    /**
     * Trino took a statement. It says so before the first check of the statement, on the same thread.
     *
     * @param type empty when Trino knows no type for the statement, which then is judged as a write
     */
    public void created(String queryId, String user, Optional<QueryType> type, Instant createdAt)
    {
        // a thread that takes a statement executes none
        threads.remove(Thread.currentThread());
        statements.put(queryId, new TrackedStatement(queryId, user, kind(type), createdAt));
    }

    /**
     * @param failed whether it failed or was killed, so that the work of a data definition may go on
     */
    public void completed(String queryId, boolean failed)
    {
        removeThoseThatEnded();
        TrackedStatement statement = statements.get(queryId);
        if (statement == null) {
            return;
        }
        finished.put(queryId, statement);
        boolean mayGoOn = failed && statement.isDataDefinition();
        if (mayGoOn && works(statement)) {
            lingering.add(statement);
            return;
        }
        statements.remove(queryId, statement);
        // its first check may have come between
        if (mayGoOn && works(statement)) {
            lingering.add(statement);
            statements.put(queryId, statement);
        }
    }

    /**
     * The entry of a statement, of which the calling thread asks for a check. One that Trino did not tell of gets an entry of unknown
     * kind; one that has completed keeps its kind. What is recorded with the latter is seen by nobody, because it can change nothing
     * any more, unless it is a data definition that was killed just before its check.
     */
    public TrackedStatement statement(String queryId, String user, Instant createdAt)
    {
        TrackedStatement statement = statements.get(queryId);
        if (statement == null) {
            TrackedStatement ended = finished.getIfPresent(queryId);
            if (ended != null && !ended.isDataDefinition()) {
                return ended;
            }
            statement = ended != null ? ended : statements.computeIfAbsent(queryId, id -> new TrackedStatement(id, user, StatementKind.UNKNOWN, createdAt));
        }
        if (statement.isDataDefinition()) {
            follow(statement);
        }
        return statement;
    }

    private void follow(TrackedStatement statement)
    {
        Thread thread = Thread.currentThread();
        if (statement.thread().orElse(null) != thread || threads.get(thread) != statement) {
            statement.runsOn(thread);
            threads.put(thread, statement);
        }
        if (finished.getIfPresent(statement.queryId()) != null) {
            // first to what is looked through, so that it is always removed again
            lingering.add(statement);
            statements.putIfAbsent(statement.queryId(), statement);
        }
    }

    /** Whether the thread that checked a data definition is still at it, and not at a later one. */
    private boolean works(TrackedStatement statement)
    {
        return statement.thread()
                .filter(thread -> threads.get(thread) == statement)
                .filter(executesDataDefinition)
                .isPresent();
    }

    private void removeThoseThatEnded()
    {
        for (TrackedStatement statement : lingering) {
            if (!works(statement)) {
                statements.remove(statement.queryId(), statement);
                lingering.remove(statement);
            }
        }
    }

    /**
     * The statements that may still change something within the scope: every target that was recorded before the call, in the
     * total order of volatile accesses, is seen.
     */
    public List<TrackedStatement> writes(WindowScope scope)
    {
        removeThoseThatEnded();
        // the map reads its entries with acquire semantics only, which alone would not order them after what the caller has published
        VarHandle.fullFence();
        ImmutableList.Builder<TrackedStatement> writes = ImmutableList.builder();
        for (TrackedStatement statement : statements.values()) {
            if (statement.touches(scope)) {
                writes.add(statement);
            }
        }
        return writes.build();
    }

    /** How many statements passed a check of a write and have not finished. */
    public int writesInFlight()
    {
        removeThoseThatEnded();
        int count = 0;
        for (TrackedStatement statement : statements.values()) {
            if (statement.isWrite()) {
                count++;
            }
        }
        return count;
    }

    static StatementKind kind(Optional<QueryType> type)
    {
        if (type.isEmpty()) {
            return StatementKind.UNKNOWN;
        }
        return switch (type.get()) {
            case SELECT -> StatementKind.SELECT;
            case EXPLAIN -> StatementKind.EXPLAIN;
            case DESCRIBE -> StatementKind.DESCRIBE;
            case INSERT -> StatementKind.INSERT;
            case UPDATE -> StatementKind.UPDATE;
            case DELETE -> StatementKind.DELETE;
            case MERGE -> StatementKind.MERGE;
            case ANALYZE -> StatementKind.ANALYZE;
            case DATA_DEFINITION -> StatementKind.DATA_DEFINITION;
            case ALTER_TABLE_EXECUTE -> StatementKind.ALTER_TABLE_EXECUTE;
            // a type that a later Trino adds is judged as a write
            default -> StatementKind.UNKNOWN;
        };
    }
}
