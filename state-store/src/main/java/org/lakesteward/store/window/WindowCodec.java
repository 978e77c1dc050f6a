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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.lakesteward.store.json.InvalidDocumentException;
import org.lakesteward.store.json.StrictJson;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import static org.lakesteward.store.json.JsonFields.array;
import static org.lakesteward.store.json.JsonFields.field;
import static org.lakesteward.store.json.JsonFields.flag;
import static org.lakesteward.store.json.JsonFields.instant;
import static org.lakesteward.store.json.JsonFields.list;
import static org.lakesteward.store.json.JsonFields.optionalText;
import static org.lakesteward.store.json.JsonFields.text;

/**
 * The JSON form of what the stores hold. Each document carries the version of its form: fields that this version does not know are
 * passed over, a document of a newer version is refused. Times and durations are ISO 8601 texts.
 * <p>
 * The argument {@code place} of the reading methods names the document in messages, such as {@code file windows.json}.
 */
final class WindowCodec
{
    static final int VERSION = 1;

    /** Trino's names are short; this bounds what a page of windows can take. */
    static final int MAX_WINDOW_BYTES = 32 * 1024;
    /** For the name of the user who ends a window, as it stands in JSON. */
    static final int MAX_ENDED_BY_BYTES = 1000;
    /** Whatever could be opened can be ended: the rest of the place is for the time and the names of the fields. */
    static final int MAX_ENDED_WINDOW_BYTES = MAX_WINDOW_BYTES + MAX_ENDED_BY_BYTES + 100;
    /** Below etcd's limit of 1.5 MiB for a request. */
    static final int MAX_REPORT_BYTES = 1024 * 1024;

    private static final String UNTIL_REPAIRED = "what was known of windows goes on to hold, and writes are refused where nothing was known; restore it from a backup";
    private static final String WINDOWS_REMEDY = UNTIL_REPAIRED + " (removing it forgets every open window)";
    /** What a damaged window needs. */
    static final String WINDOW_REMEDY = UNTIL_REPAIRED + " (removing it forgets that window)";
    private static final String ENDED_REMEDY = "no window can be opened or ended until it is restored from a backup or removed (it is about a window of the past, so removing it opens nothing)";
    private static final String REPORT_REMEDY = "its coordinator counts as lost, with no window acknowledged, until its next report replaces this one or forget_coordinator takes it out";

    private WindowCodec() {}

    /**
     * All windows in one document, for a store that replaces them at once.
     */
    record Windows(List<MaintenanceWindow> windows, List<EndedWindow> ended)
    {
        static final Windows NONE = new Windows(ImmutableList.of(), ImmutableList.of());

        Windows
        {
            windows = ImmutableList.copyOf(windows);
            ended = ImmutableList.copyOf(ended);
        }
    }

    /**
     * @throws WindowStoreException when the window takes more than {@link #MAX_WINDOW_BYTES}
     */
    static byte[] encode(MaintenanceWindow window)
    {
        return bounded(document(json(window)), MAX_WINDOW_BYTES, "the window on " + abbreviated(window.scope().toString()));
    }

    /**
     * Never fails for a window that was encoded before it ended, unless the name of the user who ends it takes more than
     * {@link #MAX_ENDED_BY_BYTES}.
     *
     * @throws WindowStoreException when the window takes more than {@link #MAX_ENDED_WINDOW_BYTES}
     */
    static byte[] encode(EndedWindow ended)
    {
        String scope = abbreviated(ended.window().scope().toString());
        byte[] document = write(document(json(ended)), "the ended window on " + scope);
        if (document.length > MAX_ENDED_WINDOW_BYTES) {
            throw new WindowStoreException("the ended window on %s takes %s bytes together with the name of user %s, the store takes at most %s: a user whose name takes at most %s bytes can end it"
                    .formatted(scope, document.length, abbreviated(ended.endedBy().orElse("")), MAX_ENDED_WINDOW_BYTES, MAX_ENDED_BY_BYTES));
        }
        return document;
    }

    /**
     * @throws WindowStoreException when the report takes more than {@link #MAX_REPORT_BYTES}
     */
    static byte[] encode(CoordinatorReport report)
    {
        return bounded(document(json(report)), MAX_REPORT_BYTES, "the report of coordinator " + abbreviated(report.coordinatorId()));
    }

    static byte[] encode(Windows windows)
    {
        ObjectNode node = StrictJson.object();
        ArrayNode open = node.putArray("windows");
        windows.windows().forEach(window -> open.add(json(window)));
        ArrayNode ended = node.putArray("ended");
        windows.ended().forEach(window -> ended.add(json(window)));
        return write(document(node), "the windows");
    }

    static MaintenanceWindow decodeWindow(byte[] document, String place)
    {
        return decode(document, place, WINDOW_REMEDY, WindowCodec::window);
    }

    static EndedWindow decodeEnded(byte[] document, String place)
    {
        return decode(document, place, ENDED_REMEDY, WindowCodec::ended);
    }

    static CoordinatorReport decodeReport(byte[] document, String place)
    {
        return decode(document, place, REPORT_REMEDY, WindowCodec::report);
    }

    static Windows decodeWindows(byte[] document, String place)
    {
        return decode(document, place, WINDOWS_REMEDY, node -> {
            List<MaintenanceWindow> windows = list(node, "windows", WindowCodec::window);
            Set<WindowScope> scopes = new HashSet<>();
            for (MaintenanceWindow window : windows) {
                if (!scopes.add(window.scope())) {
                    throw new InvalidDocumentException("there are two windows on " + window.scope());
                }
            }
            return new Windows(windows, list(node, "ended", WindowCodec::ended));
        });
    }

    /**
     * Whether the document was written by a newer version, so that it must not be replaced. One that is no JSON was not.
     */
    static boolean isNewer(byte[] document)
    {
        try {
            return StrictJson.read(document) instanceof ObjectNode node && node.path("version").asLong(0) > VERSION;
        }
        catch (IOException e) {
            return false;
        }
    }

    static WindowStoreException newer(String place)
    {
        return new WindowStoreException("%s was written by a newer version of Lakesteward (this one knows form %s): it is left as it is, update this coordinator".formatted(place, VERSION));
    }

    private static ObjectNode document(ObjectNode content)
    {
        ObjectNode document = StrictJson.object();
        document.put("version", VERSION);
        document.setAll(content);
        return document;
    }

    private static byte[] bounded(ObjectNode node, int limit, String what)
    {
        byte[] document = write(node, what);
        if (document.length > limit) {
            throw new WindowStoreException("%s takes %s bytes, the store takes at most %s".formatted(what, document.length, limit));
        }
        return document;
    }

    private static byte[] write(ObjectNode node, String what)
    {
        try {
            return StrictJson.write(node);
        }
        catch (CharacterCodingException e) {
            throw new WindowStoreException("%s holds a text that is no valid Unicode".formatted(what), e);
        }
        catch (JsonProcessingException e) {
            throw new WindowStoreException("%s cannot be written as JSON".formatted(what), e);
        }
    }

    private static <T> T decode(byte[] document, String place, String remedy, Function<JsonNode, T> reader)
    {
        JsonNode node;
        try {
            node = StrictJson.read(document);
        }
        catch (IOException e) {
            throw new WindowStoreException("%s is no valid JSON (%s bytes): %s".formatted(place, document.length, remedy), e);
        }
        if (!node.isObject()) {
            throw new WindowStoreException("%s is no JSON object: %s".formatted(place, remedy));
        }
        JsonNode version = node.path("version");
        if (!version.isIntegralNumber() || version.asLong() < 1) {
            throw new WindowStoreException("%s has no valid version: %s".formatted(place, remedy));
        }
        if (version.asLong() > VERSION) {
            throw newer(place);
        }
        try {
            return reader.apply(node);
        }
        catch (InvalidDocumentException | IllegalArgumentException | DateTimeException | InvalidWindowException e) {
            throw new WindowStoreException("%s holds what cannot be read (%s): %s".formatted(place, e.getMessage(), remedy), e);
        }
    }

    private static ObjectNode json(MaintenanceWindow window)
    {
        ObjectNode node = StrictJson.object();
        node.put("id", window.id());
        node.put("scope", window.scope().toString());
        node.put("reason", window.reason());
        node.put("opened_by", window.openedBy());
        node.put("opened_at", window.openedAt().toString());
        window.until().ifPresent(until -> node.put("until", until.toString()));
        node.put("retry_after", window.retryAfter().toString());
        node.put("kill_running_writes", window.killRunningWrites());
        window.extendedBy().ifPresent(user -> node.put("extended_by", user));
        window.warning().ifPresent(warning -> node.put("warning", warning));
        return node;
    }

    private static MaintenanceWindow window(JsonNode node)
    {
        return new MaintenanceWindow(
                text(node, "id"),
                WindowScope.parse(text(node, "scope")),
                text(node, "reason"),
                text(node, "opened_by"),
                instant(node, "opened_at"),
                optionalText(node, "until").map(Instant::parse),
                Duration.parse(text(node, "retry_after")),
                flag(node, "kill_running_writes"),
                optionalText(node, "extended_by"),
                optionalText(node, "warning"));
    }

    private static ObjectNode json(EndedWindow ended)
    {
        ObjectNode node = StrictJson.object();
        node.set("window", json(ended.window()));
        ended.endedBy().ifPresent(user -> node.put("ended_by", user));
        node.put("ended_at", ended.endedAt().toString());
        return node;
    }

    private static EndedWindow ended(JsonNode node)
    {
        return new EndedWindow(window(field(node, "window")), optionalText(node, "ended_by"), instant(node, "ended_at"));
    }

    private static ObjectNode json(CoordinatorReport report)
    {
        ObjectNode node = StrictJson.object();
        node.put("coordinator_id", report.coordinatorId());
        node.put("started_at", report.startedAt().toString());
        node.put("reported_at", report.reportedAt().toString());
        node.put("store_ignored", report.storeIgnored());
        ObjectNode acknowledgements = node.putObject("acknowledgements");
        report.acknowledgements().forEach((windowId, acknowledgement) -> {
            ObjectNode entry = acknowledgements.putObject(windowId);
            entry.put("acknowledged_at", acknowledgement.acknowledgedAt().toString());
            acknowledgement.drainedAt().ifPresent(drainedAt -> entry.put("drained_at", drainedAt.toString()));
            acknowledgement.until().ifPresent(until -> entry.put("until", until.toString()));
        });
        ArrayNode writes = node.putArray("writes");
        report.writes().forEach(write -> writes.add(json(write)));
        node.put("writes_left_out", report.writesLeftOut());
        return node;
    }

    private static CoordinatorReport report(JsonNode node)
    {
        ImmutableMap.Builder<String, Acknowledgement> acknowledgements = ImmutableMap.builder();
        JsonNode entries = field(node, "acknowledgements");
        if (!entries.isObject()) {
            throw new InvalidDocumentException("field acknowledgements is no object");
        }
        for (Map.Entry<String, JsonNode> entry : entries.properties()) {
            acknowledgements.put(entry.getKey(), new Acknowledgement(instant(entry.getValue(), "acknowledged_at"), optionalText(entry.getValue(), "drained_at").map(Instant::parse), optionalText(entry.getValue(), "until").map(Instant::parse)));
        }
        JsonNode writesLeftOut = field(node, "writes_left_out");
        if (!writesLeftOut.canConvertToInt()) {
            throw new InvalidDocumentException("field writes_left_out is no whole number");
        }
        return new CoordinatorReport(
                text(node, "coordinator_id"),
                instant(node, "started_at"),
                instant(node, "reported_at"),
                flag(node, "store_ignored"),
                acknowledgements.buildOrThrow(),
                list(node, "writes", WindowCodec::write),
                writesLeftOut.intValue());
    }

    private static ObjectNode json(WriteInFlight write)
    {
        ObjectNode node = StrictJson.object();
        node.put("query_id", write.queryId());
        node.put("user", write.user());
        node.put("kind", write.kind().name());
        node.put("created_at", write.createdAt().toString());
        ArrayNode targets = node.putArray("targets");
        write.targets().forEach(target -> targets.add(target.toString()));
        write.kill().ifPresent(kill -> {
            ObjectNode attempt = node.putObject("kill");
            attempt.put("at", kill.at().toString());
            kill.error().ifPresent(error -> attempt.put("error", error));
        });
        return node;
    }

    private static WriteInFlight write(JsonNode node)
    {
        ImmutableSet.Builder<WindowScope> targets = ImmutableSet.builder();
        for (JsonNode target : array(node, "targets")) {
            if (!target.isTextual()) {
                throw new InvalidDocumentException("field targets holds what is no text");
            }
            targets.add(WindowScope.parse(target.textValue()));
        }
        JsonNode kill = node.path("kill");
        return new WriteInFlight(
                text(node, "query_id"),
                text(node, "user"),
                kind(text(node, "kind")),
                instant(node, "created_at"),
                targets.build(),
                kill.isObject() ? Optional.of(new KillAttempt(instant(kill, "at"), optionalText(kill, "error"))) : Optional.empty());
    }

    /** A kind of a later Trino is judged as a write, as the unknown one is. */
    private static StatementKind kind(String name)
    {
        for (StatementKind kind : StatementKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return StatementKind.UNKNOWN;
    }

    private static String abbreviated(String text)
    {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
