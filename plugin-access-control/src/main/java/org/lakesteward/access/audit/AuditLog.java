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
package org.lakesteward.access.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * One JSON line for each decision that matters, to the logger {@value #LOGGER}. Refusals are limited to one line a second: the first comes at
 * once, the next one says how many were left out before it. Thread-safe.
 */
public class AuditLog
{
    public static final String LOGGER = "org.lakesteward.audit";

    private static final long NANOS_BETWEEN_REFUSALS = SECONDS.toNanos(1);

    private final ObjectMapper mapper = new ObjectMapper();
    private final Consumer<String> output;
    private final InstantSource clock;
    private final Ticker ticker;

    private final AtomicLong nextRefusal;
    private final AtomicLong refusalsLeftOut = new AtomicLong();

    @Inject
    public AuditLog(InstantSource clock, Ticker ticker)
    {
        this(Logger.get(LOGGER)::info, clock, ticker);
    }

    public AuditLog(Consumer<String> output, InstantSource clock, Ticker ticker)
    {
        this.output = requireNonNull(output, "output is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.nextRefusal = new AtomicLong(ticker.read());
    }

    public void ignoringStore(String coordinatorId)
    {
        write("ignore_store", coordinatorId, ImmutableMap.of());
    }

    public void acknowledged(String coordinatorId, MaintenanceWindow window, Instant acknowledgedAt)
    {
        write("acknowledge_window", coordinatorId, ImmutableMap.of(
                "window", window.id(),
                "scope", window.scope().toString(),
                "reason", window.reason(),
                "opened_by", window.openedBy(),
                "acknowledged_at", acknowledgedAt.toString()));
    }

    public void drained(String coordinatorId, MaintenanceWindow window, Instant drainedAt)
    {
        write("window_drained", coordinatorId, ImmutableMap.of(
                "window", window.id(),
                "scope", window.scope().toString(),
                "drained_at", drainedAt.toString()));
    }

    public void killRequested(String coordinatorId, MaintenanceWindow window, String queryId, String user, Optional<String> error)
    {
        ImmutableMap.Builder<String, Object> fields = ImmutableMap.<String, Object>builder()
                .put("window", window.id())
                .put("scope", window.scope().toString())
                .put("query_id", queryId)
                .put("user", user)
                .put("outcome", error.isPresent() ? "failed" : "accepted");
        error.ifPresent(reason -> fields.put("error", reason));
        write("kill_write", coordinatorId, fields.buildOrThrow());
    }

    public void refused(String coordinatorId, String queryId, String user, StatementKind kind, WindowScope target, String message)
    {
        long now = ticker.read();
        long next = nextRefusal.get();
        if (now - next < 0 || !nextRefusal.compareAndSet(next, now + NANOS_BETWEEN_REFUSALS)) {
            refusalsLeftOut.incrementAndGet();
            return;
        }
        write("refuse_write", coordinatorId, ImmutableMap.of(
                "query_id", queryId,
                "user", user,
                "kind", kind.name(),
                "target", target.toString(),
                "message", message,
                "left_out_before", refusalsLeftOut.getAndSet(0)));
    }

    private void write(String event, String coordinatorId, Map<String, ?> fields)
    {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", event);
        line.put("coordinator", coordinatorId);
        line.putAll(fields);
        try {
            output.accept(mapper.writeValueAsString(line));
        }
        catch (JsonProcessingException e) {
            throw new IllegalStateException("strings and numbers are JSON", e);
        }
    }
}
