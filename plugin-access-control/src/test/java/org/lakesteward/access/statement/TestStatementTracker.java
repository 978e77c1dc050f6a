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

import com.google.common.collect.ImmutableSet;
import io.trino.spi.resourcegroups.QueryType;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.Test;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

public class TestStatementTracker
{
    private static final WindowScope TABLE = WindowScope.table("lake", "s", "t");

    @Test
    public void testKindOfEveryQueryType()
    {
        for (QueryType type : QueryType.values()) {
            assertThat(StatementTracker.kind(Optional.of(type)).name())
                    .describedAs("a type that Trino has gained needs a decision: is it a write?")
                    .isEqualTo(type.name());
        }
        assertThat(StatementTracker.kind(Optional.empty())).isEqualTo(StatementKind.UNKNOWN);
        assertThat(QueryType.values()).hasSize(StatementKind.values().length - 1);
    }

    @Test
    public void testWriteIsInFlightFromItsRecordToItsEnd()
    {
        StatementTracker tracker = new StatementTracker();
        tracker.created("q1", "alice", Optional.of(QueryType.INSERT), Instant.EPOCH);
        assertThat(tracker.writes(WindowScope.cluster())).isEmpty();
        assertThat(tracker.writesInFlight()).isZero();

        TrackedStatement statement = tracker.statement("q1", "somebody", Instant.MAX);
        assertThat(statement.record(TABLE)).isTrue();
        assertThat(statement.record(TABLE)).isFalse();
        assertThat(tracker.writes(WindowScope.schema("lake", "s"))).containsExactly(statement);
        assertThat(tracker.writes(WindowScope.schema("lake", "other"))).isEmpty();
        assertThat(tracker.writesInFlight()).isEqualTo(1);
        assertThat(statement.toWriteInFlight().targets()).isEqualTo(ImmutableSet.of(TABLE));
        assertThat(statement.toWriteInFlight().user()).isEqualTo("alice");
        assertThat(statement.toWriteInFlight().createdAt()).isEqualTo(Instant.EPOCH);

        tracker.completed("q1", false);
        assertThat(tracker.writes(WindowScope.cluster())).isEmpty();
        // a check that comes late, because the statement was killed while it was analyzed, does not bring it back
        tracker.statement("q1", "alice", Instant.EPOCH).record(TABLE);
        assertThat(tracker.writes(WindowScope.cluster())).isEmpty();
        assertThat(tracker.statement("q1", "alice", Instant.EPOCH).kind()).isEqualTo(StatementKind.INSERT);
    }

    @Test
    public void testStatementThatTrinoDidNotTellOf()
    {
        StatementTracker tracker = new StatementTracker();
        TrackedStatement statement = tracker.statement("q1", "alice", Instant.EPOCH);
        assertThat(statement.kind()).isEqualTo(StatementKind.UNKNOWN);
        statement.record(TABLE);
        assertThat(tracker.statement("q1", "alice", Instant.EPOCH)).isSameAs(statement);
        assertThat(tracker.writes(TABLE)).containsExactly(statement);
        tracker.completed("q1", false);
        assertThat(tracker.writes(TABLE)).isEmpty();
    }

    @Test
    public void testManyTargetsCountAsEverything()
    {
        TrackedStatement statement = new TrackedStatement("q1", "alice", StatementKind.DATA_DEFINITION, Instant.EPOCH);
        for (int index = 0; index < TrackedStatement.MAX_TARGETS; index++) {
            assertThat(statement.record(WindowScope.table("lake", "s", "t" + index))).isTrue();
        }
        assertThat(statement.touches(WindowScope.catalog("other"))).isFalse();
        statement.forget(WindowScope.table("lake", "s", "t0"));
        assertThat(statement.record(WindowScope.table("lake", "s", "t0"))).isTrue();
        assertThat(statement.record(WindowScope.table("lake", "s", "last"))).isFalse();
        assertThat(statement.touches(WindowScope.catalog("other"))).isTrue();
        statement.forget(WindowScope.cluster());
        assertThat(statement.isWrite()).isTrue();
        assertThat(statement.toWriteInFlight().targets()).isEqualTo(ImmutableSet.of(WindowScope.cluster()));
    }

    @Test
    public void testKilledDataDefinitionStaysUntilItsThreadHasLeftIt()
    {
        AtomicBoolean working = new AtomicBoolean(true);
        StatementTracker tracker = new StatementTracker(thread -> thread == Thread.currentThread() && working.get());
        tracker.created("q1", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        TrackedStatement statement = tracker.statement("q1", "alice", Instant.EPOCH);
        statement.record(TABLE);
        tracker.completed("q1", true);
        assertThat(tracker.writes(TABLE)).containsExactly(statement);
        assertThat(tracker.writesInFlight()).isEqualTo(1);
        // a further check of it changes nothing
        assertThat(tracker.statement("q1", "alice", Instant.EPOCH)).isSameAs(statement);

        working.set(false);
        assertThat(tracker.writes(TABLE)).isEmpty();
        assertThat(tracker.writesInFlight()).isZero();
    }

    @Test
    public void testDataDefinitionThatSucceededHasEnded()
    {
        StatementTracker tracker = new StatementTracker(_ -> true);
        tracker.created("q1", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        tracker.statement("q1", "alice", Instant.EPOCH).record(TABLE);
        tracker.completed("q1", false);
        assertThat(tracker.writes(TABLE)).isEmpty();
    }

    @Test
    public void testDataDefinitionThatIsKilledBeforeItsCheckIsInFlight()
    {
        AtomicBoolean working = new AtomicBoolean(true);
        StatementTracker tracker = new StatementTracker(_ -> working.get());
        tracker.created("q1", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        tracker.completed("q1", true);
        assertThat(tracker.writesInFlight()).isZero();

        TrackedStatement statement = tracker.statement("q1", "alice", Instant.EPOCH);
        statement.record(TABLE);
        assertThat(tracker.writes(TABLE)).containsExactly(statement);
        working.set(false);
        assertThat(tracker.writes(TABLE)).isEmpty();
    }

    @Test
    public void testThreadThatGoesOnToAnotherStatementHasLeftTheFormer()
    {
        StatementTracker tracker = new StatementTracker(_ -> true);
        tracker.created("q1", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        tracker.created("q2", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        tracker.statement("q1", "alice", Instant.EPOCH).record(TABLE);
        tracker.completed("q1", true);
        assertThat(tracker.writes(TABLE)).hasSize(1);

        tracker.statement("q2", "alice", Instant.EPOCH);
        assertThat(tracker.writes(TABLE)).isEmpty();
    }

    @Test
    public void testThreadThatTakesAStatementExecutesNone()
    {
        StatementTracker tracker = new StatementTracker(_ -> true);
        tracker.created("q1", "alice", Optional.of(QueryType.DATA_DEFINITION), Instant.EPOCH);
        tracker.statement("q1", "alice", Instant.EPOCH).record(TABLE);
        tracker.completed("q1", true);
        tracker.created("q2", "alice", Optional.of(QueryType.SELECT), Instant.EPOCH);
        assertThat(tracker.writes(TABLE)).isEmpty();
    }
}
