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
import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.store.window.WindowCodec.Windows;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestWindowCodec
{
    private static final long SEED = 483;

    private static final String WINDOW = "\"id\": \"1\", \"scope\": \"lake.sales\", \"reason\": \"restore\", \"opened_by\": \"ann\", \"opened_at\": \"2026-01-02T03:04:05.000000006Z\", \"retry_after\": \"PT30S\", \"kill_running_writes\": true";

    @Test
    public void testRoundTrip()
    {
        System.out.println("seed " + SEED);
        RandomRecords records = new RandomRecords(SEED);
        for (int i = 0; i < 2000; i++) {
            MaintenanceWindow window = records.window();
            assertThat(WindowCodec.decodeWindow(WindowCodec.encode(window), "here")).as("record %s of seed %s", i, SEED).isEqualTo(window);
            EndedWindow ended = records.ended();
            assertThat(WindowCodec.decodeEnded(WindowCodec.encode(ended), "here")).as("record %s of seed %s", i, SEED).isEqualTo(ended);
            CoordinatorReport report = records.report();
            assertThat(WindowCodec.decodeReport(WindowCodec.encode(report), "here")).as("record %s of seed %s", i, SEED).isEqualTo(report);
            Windows windows = new Windows(ImmutableList.of(window), ImmutableList.of(ended, records.ended()));
            assertThat(WindowCodec.decodeWindows(WindowCodec.encode(windows), "here")).as("record %s of seed %s", i, SEED).isEqualTo(windows);
        }
    }

    /** Texts that earlier versions wrote stay readable. */
    @Test
    public void testForm()
    {
        MaintenanceWindow window = new MaintenanceWindow(
                "1",
                WindowScope.schema("lake", "sales"),
                "restore",
                "ann",
                Instant.parse("2026-01-02T03:04:05.000000006Z"),
                Optional.empty(),
                Duration.ofSeconds(30),
                true,
                Optional.empty(),
                Optional.empty());
        assertThat(decode("{\"version\": 1, " + WINDOW + "}")).isEqualTo(window);
        assertThat(new String(WindowCodec.encode(window), UTF_8)).isEqualTo(("{\"version\": 1, " + WINDOW + "}").replace(": ", ":").replace(", ", ","));
    }

    @Test
    public void testUnknownFieldsAreTolerated()
    {
        assertThat(decode("{\"version\": 1, \"colour\": {\"deep\": [1]}, " + WINDOW + ", \"until\": null}"))
                .isEqualTo(decode("{\"version\": 1, " + WINDOW + "}"));
    }

    @Test
    public void testUnknownKindOfStatementIsJudgedAsWrite()
    {
        CoordinatorReport report = WindowCodec.decodeReport(
                """
                {"version": 1, "coordinator_id": "one", "started_at": "2026-01-01T00:00:00Z", "reported_at": "2026-01-01T00:00:00Z", "store_ignored": false, "acknowledgements": {},
                 "writes": [{"query_id": "q", "user": "ann", "kind": "LEVITATE", "created_at": "2026-01-01T00:00:00Z", "targets": ["cluster"]}], "writes_left_out": 0}
                """.getBytes(UTF_8),
                "here");
        assertThat(report.writes()).singleElement().satisfies(write -> assertThat(write.kind()).isEqualTo(StatementKind.UNKNOWN));
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {
                {"", "key x is no JSON object"},
                {"{\"version\": 1, ", "key x is no valid JSON (15 bytes)"},
                {"{\"version\": 1, " + WINDOW + "} {}", "key x is no valid JSON"},
                {"{\"version\": 1, " + WINDOW + ", \"id\": \"2\"}", "key x is no valid JSON"},
                {"[]", "key x is no JSON object"},
                {"{" + WINDOW + "}", "key x has no valid version"},
                {"{\"version\": \"1\", " + WINDOW + "}", "key x has no valid version"},
                {"{\"version\": 0, " + WINDOW + "}", "key x has no valid version"},
                {"{\"version\": 2, \"all\": \"new\"}", "key x was written by a newer version of Lakesteward (this one knows form 1): it is left as it is"},
                {"{\"version\": 1}", "key x holds what cannot be read (field id is missing)"},
                {"{\"version\": 1, " + WINDOW.replace("\"1\"", "1") + "}", "(field id is no text)"},
                {"{\"version\": 1, " + WINDOW.replace("lake.sales", "lake..sales") + "}", "(scope is 'lake..sales', it must be"},
                {"{\"version\": 1, " + WINDOW.replace("2026-01", "2026-13") + "}", "(Text '2026-13-02T"},
                {"{\"version\": 1, " + WINDOW.replace("PT30S", "30") + "}", "key x holds what cannot be read"},
                {"{\"version\": 1, " + WINDOW.replace("true", "1") + "}", "(field kill_running_writes is neither true nor false)"},
        };
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(String document, String message)
    {
        assertThatThrownBy(() -> decode(document))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining(message);
        assertThat(WindowCodec.isNewer(document.getBytes(UTF_8))).isEqualTo(message.contains("newer"));
    }

    /** To remove what is damaged opens the lake, so that nobody may do it unawares. */
    @Test
    public void testRemedies()
    {
        byte[] broken = "{".getBytes(UTF_8);
        assertThatThrownBy(() -> WindowCodec.decodeWindows(broken, "file x"))
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("file x is no valid JSON (1 bytes): what was known of windows goes on to hold, and writes are refused where nothing was known; restore it from a backup (removing it forgets every open window)");
        assertThatThrownBy(() -> WindowCodec.decodeWindows("{\"version\": 1}".getBytes(UTF_8), "file x"))
                .hasMessage("file x holds what cannot be read (field windows is missing): what was known of windows goes on to hold, and writes are refused where nothing was known; restore it from a backup (removing it forgets every open window)");
        assertThatThrownBy(() -> WindowCodec.decodeWindow(broken, "key x"))
                .hasMessage("key x is no valid JSON (1 bytes): what was known of windows goes on to hold, and writes are refused where nothing was known; restore it from a backup (removing it forgets that window)");
        assertThatThrownBy(() -> WindowCodec.decodeEnded(broken, "key x"))
                .hasMessage("key x is no valid JSON (1 bytes): no window can be opened or ended until it is restored from a backup or removed (it is about a window of the past, so removing it opens nothing)");
        assertThatThrownBy(() -> WindowCodec.decodeReport("[]".getBytes(UTF_8), "file x"))
                .hasMessage("file x is no JSON object: its coordinator counts as lost, with no window acknowledged, until its next report replaces this one or forget_coordinator takes it out");
    }

    @Test
    public void testTwoWindowsOfOneScope()
    {
        String document = "{\"version\": 1, \"windows\": [{" + WINDOW + "}, {" + WINDOW + "}], \"ended\": []}";
        assertThatThrownBy(() -> WindowCodec.decodeWindows(document.getBytes(UTF_8), "file x"))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("file x holds what cannot be read (there are two windows on lake.sales)");
    }

    @Test
    public void testTextThatIsNoUnicode()
    {
        MaintenanceWindow window = new MaintenanceWindow("1", WindowScope.cluster(), "half \ud83d", "ann", Instant.EPOCH, Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> WindowCodec.encode(window))
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("the window on cluster holds a text that is no valid Unicode");
    }

    @Test
    public void testTooLarge()
    {
        MaintenanceWindow window = new MaintenanceWindow("1", WindowScope.cluster(), "x".repeat(40_000), "ann", Instant.EPOCH, Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> WindowCodec.encode(window))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageMatching("the window on cluster takes 40\\d\\d\\d bytes, the store takes at most 32768");
        CoordinatorReport report = new CoordinatorReport("one", Instant.EPOCH, Instant.EPOCH, false, ImmutableMap.of("x".repeat(1 << 20), new CoordinatorReport.Acknowledgement(Instant.EPOCH, Optional.empty())), ImmutableList.of(), 0);
        assertThatThrownBy(() -> WindowCodec.encode(report))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageMatching("the report of coordinator one takes \\d+ bytes, the store takes at most 1048576");
    }

    /** Whatever can be opened can be ended, by whoever has a name of a thousand bytes at most. */
    @Test
    public void testLargestWindowCanBeEnded()
    {
        MaintenanceWindow window = windowOfBytes(WindowCodec.MAX_WINDOW_BYTES);
        assertThat(WindowCodec.encode(window)).hasSize(WindowCodec.MAX_WINDOW_BYTES);
        assertThatThrownBy(() -> WindowCodec.encode(windowOfBytes(WindowCodec.MAX_WINDOW_BYTES + 1)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("the window on cluster takes 32769 bytes, the store takes at most 32768");
        // the longest text of a time before the year 10000
        Instant end = Instant.parse("9999-12-31T23:59:59.999999999Z");
        EndedWindow ended = new EndedWindow(window, Optional.of("u".repeat(WindowCodec.MAX_ENDED_BY_BYTES)), end);
        assertThat(WindowCodec.decodeEnded(WindowCodec.encode(ended), "here")).isEqualTo(ended);
        assertThatThrownBy(() -> WindowCodec.encode(new EndedWindow(window, Optional.of("u".repeat(2000)), end)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("the ended window on cluster takes 34837 bytes together with the name of user %s..., the store takes at most 33868: a user whose name takes at most 1000 bytes can end it", "u".repeat(100));
    }

    private static MaintenanceWindow windowOfBytes(int bytes)
    {
        MaintenanceWindow small = windowWithWarning("");
        return windowWithWarning("w".repeat(bytes - WindowCodec.encode(small).length));
    }

    private static MaintenanceWindow windowWithWarning(String warning)
    {
        return new MaintenanceWindow("1", WindowScope.cluster(), "restore", "ann", Instant.EPOCH, Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.of(warning));
    }

    private static MaintenanceWindow decode(String document)
    {
        return WindowCodec.decodeWindow(document.getBytes(UTF_8), "key x");
    }
}
