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
package org.lakesteward.maintenance.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.json.JsonCodec;
import io.trino.testing.DistributedQueryRunner;
import org.lakesteward.planner.window.CoordinatorState;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.json.JsonCodec.mapJsonCodec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the audit log says of each call.
 */
public class TestWindowAudit
{
    private static final JsonCodec<Map<String, Object>> CODEC = mapJsonCodec(String.class, Object.class);
    // held here, because java.util.logging forgets loggers that nobody holds
    private static final Logger AUDIT = Logger.getLogger("org.lakesteward.audit");

    private InMemoryWindowStore store;
    private DistributedQueryRunner queryRunner;
    private Lines lines;

    @BeforeClass
    public void start()
            throws Exception
    {
        store = new InMemoryWindowStore();
        queryRunner = ControlQueryRunner.create(store);
        lines = new Lines();
        AUDIT.addHandler(lines);
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        AUDIT.removeHandler(lines);
        lines = null;
        store = null;
        if (queryRunner != null) {
            queryRunner.close();
            queryRunner = null;
        }
    }

    @Test
    public void testLines()
    {
        Instant lastReport = Instant.now().minusSeconds(300);
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", lastReport), false));
        call("ann", "enter_maintenance(reason => 'line one\nline \"two\"', scope => 'nowhere', until => '2100-01-01 00:00 UTC', wait => false)");
        String id = getOnlyElement(store.content().windows()).id();
        String openedAt = getOnlyElement(store.content().windows()).openedAt().toString();
        call("bob", "extend_maintenance(scope => 'nowhere', until_ended => true, retry_after => '10m', kill_running_writes => true)");
        call("carol", "exit_maintenance(scope => 'nowhere')");
        call("dave", "forget_coordinator('c1')");
        // what changed nothing is not recorded
        assertThatThrownBy(() -> call("eve", "exit_maintenance(scope => 'nowhere')")).hasMessageContaining("no window on nowhere is open");

        Map<String, Object> opened = ImmutableMap.<String, Object>builder()
                .put("event", "open_window").put("user", "ann")
                .put("window", id).put("scope", "nowhere").put("reason", "line one\nline \"two\"").put("opened_by", "ann").put("opened_at", openedAt)
                .put("retry_after_seconds", 30).put("kill_running_writes", false).put("until", "2100-01-01T00:00:00Z")
                .put("warning", "this coordinator has no catalog nowhere; the window covers it as soon as there is one")
                .buildOrThrow();
        Map<String, Object> extended = new LinkedHashMap<>(opened);
        extended.putAll(ImmutableMap.of("event", "extend_window", "user", "bob", "retry_after_seconds", 600, "kill_running_writes", true));
        extended.remove("until");
        Map<String, Object> ended = new LinkedHashMap<>(extended);
        ended.putAll(ImmutableMap.of("event", "end_window", "user", "carol"));
        Map<String, Object> forgotten = ImmutableMap.of("event", "forget_coordinator", "user", "dave", "coordinator", "c1", "last_report_at", lastReport.toString(), "store_ignored", false);

        assertThat(lines.lines).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        List<Map<String, Object>> written = lines.lines.stream().map(CODEC::fromJson).collect(toImmutableList());
        assertThat(written).extracting(line -> (String) line.get("query_id")).doesNotHaveDuplicates().allSatisfy(queryId -> assertThat(queryId)
                .isIn(queryRunner.execute("SELECT query_id FROM system.runtime.queries").getOnlyColumnAsSet()));
        assertThat(written).allSatisfy(line -> assertThat(Instant.parse((String) line.get("time"))).isBefore(Instant.now()));
        assertThat(written).map(TestWindowAudit::withoutStatement).isEqualTo(ImmutableList.of(opened, extended, ended, forgotten));
    }

    private static Map<String, Object> withoutStatement(Map<String, Object> line)
    {
        Map<String, Object> values = new LinkedHashMap<>(line);
        values.keySet().removeAll(List.of("time", "query_id"));
        return values;
    }

    private void call(String user, String call)
    {
        queryRunner.execute(ControlQueryRunner.session(user), "CALL maintenance.system." + call);
    }

    private static class Lines
            extends Handler
    {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record)
        {
            lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
