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
package org.lakesteward.maintenance.window;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.log.Logger;
import io.trino.spi.connector.ConnectorSession;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;

import java.time.InstantSource;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Writes one line of JSON for each change of a window to the logger {@code org.lakesteward.audit}: who did what, in which statement.
 * Times are ISO 8601 in UTC.
 */
public class WindowAudit
{
    public static final String LOGGER = "org.lakesteward.audit";

    private static final Logger log = Logger.get(LOGGER);
    private static final JsonCodec<Map<String, Object>> CODEC = new JsonCodecFactory().mapJsonCodec(String.class, Object.class);

    private final InstantSource clock;

    @Inject
    public WindowAudit(InstantSource clock)
    {
        this.clock = requireNonNull(clock, "clock is null");
    }

    void opened(ConnectorSession session, MaintenanceWindow window)
    {
        write("open_window", session, values(window));
    }

    void extended(ConnectorSession session, MaintenanceWindow window)
    {
        write("extend_window", session, values(window));
    }

    void ended(ConnectorSession session, EndedWindow ended)
    {
        write("end_window", session, values(ended.window()));
    }

    void coordinatorForgotten(ConnectorSession session, CoordinatorReport report)
    {
        write("forget_coordinator", session, ImmutableMap.of(
                "coordinator", report.coordinatorId(),
                "last_report_at", report.reportedAt().toString(),
                "store_ignored", report.storeIgnored()));
    }

    private static Map<String, Object> values(MaintenanceWindow window)
    {
        ImmutableMap.Builder<String, Object> values = ImmutableMap.<String, Object>builder()
                .put("window", window.id())
                .put("scope", window.scope().toString())
                .put("reason", window.reason())
                .put("opened_by", window.openedBy())
                .put("opened_at", window.openedAt().toString())
                .put("retry_after_seconds", window.retryAfter().toSeconds())
                .put("kill_running_writes", window.killRunningWrites());
        window.until().ifPresent(until -> values.put("until", until.toString()));
        window.warning().ifPresent(warning -> values.put("warning", warning));
        return values.buildOrThrow();
    }

    private void write(String event, ConnectorSession session, Map<String, Object> values)
    {
        log.info("%s", CODEC.toJson(ImmutableMap.<String, Object>builder()
                .put("time", clock.instant().toString())
                .put("event", event)
                .put("user", session.getUser())
                .put("query_id", session.getQueryId())
                .putAll(values)
                .buildOrThrow()));
    }
}
