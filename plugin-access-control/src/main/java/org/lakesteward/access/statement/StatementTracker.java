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
import io.trino.spi.resourcegroups.QueryType;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;

import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The statements that this coordinator has taken and not finished. Thread-safe.
 */
public class StatementTracker
{
    /** A check of a statement that ended meanwhile, for instance because it was killed while it was analyzed, must not bring it back. */
    private static final int FINISHED_REMEMBERED = 10_000;

    private final ConcurrentMap<String, TrackedStatement> statements = new ConcurrentHashMap<>();
    private final Cache<String, TrackedStatement> finished = CacheBuilder.newBuilder()
            .maximumSize(FINISHED_REMEMBERED)
            .build();

    /**
     * Trino took a statement. It says so before the first check of the statement, on the same thread.
     *
     * @param type empty when Trino knows no type for the statement, which then is judged as a write
     */
    public void created(String queryId, String user, Optional<QueryType> type, Instant createdAt)
    {
        statements.put(queryId, new TrackedStatement(queryId, user, kind(type), createdAt));
    }

    public void completed(String queryId)
    {
        TrackedStatement statement = statements.remove(queryId);
        if (statement != null) {
            finished.put(queryId, statement);
        }
    }

    /**
     * The entry of a statement. One that Trino did not tell of gets an entry of unknown kind; one that has ended keeps its
     * kind, and what is recorded with it is seen by nobody, because it can change nothing any more.
     */
    public TrackedStatement statement(String queryId, String user, Instant createdAt)
    {
        TrackedStatement statement = statements.get(queryId);
        if (statement != null) {
            return statement;
        }
        TrackedStatement ended = finished.getIfPresent(queryId);
        if (ended != null) {
            return ended;
        }
        return statements.computeIfAbsent(queryId, id -> new TrackedStatement(id, user, StatementKind.UNKNOWN, createdAt));
    }

    /**
     * The statements that may still change something within the scope: every target that was recorded before the call, in the
     * total order of volatile accesses, is seen.
     */
    public List<TrackedStatement> writes(WindowScope scope)
    {
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
