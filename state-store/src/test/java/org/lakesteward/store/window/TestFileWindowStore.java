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
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestFileWindowStore
        extends WindowStoreContract
{
    private final AtomicReference<Instant> clock = new AtomicReference<>();
    private Path parent;
    private Path folder;

    @Override
    protected void prepare()
    {
        try {
            parent = Files.createTempDirectory("windows");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        folder = parent.resolve("deep/in/windows");
        clock.set(NOW);
    }

    @Override
    protected WindowStore create()
    {
        return new FileWindowStore(folder, PRESENCE_TIMEOUT, clock::get);
    }

    // TestNG does not take the annotation from the method that this one replaces
    @AfterMethod(alwaysRun = true)
    @Override
    public void close()
    {
        super.close();
        try {
            deleteRecursively(parent, ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void passPresenceTimeout()
    {
        clock.set(NOW.plus(PRESENCE_TIMEOUT).minusNanos(1));
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isTrue());
        clock.set(NOW.plus(PRESENCE_TIMEOUT));
    }

    @Override
    protected void writeRaw(byte[] document)
    {
        write(folder.resolve("windows.json"), document);
    }

    @Override
    protected byte[] readRaw()
    {
        return read(folder.resolve("windows.json"));
    }

    @Override
    protected void writeRawReport(byte[] document)
    {
        try {
            Files.deleteIfExists(folder.resolve("windows.json"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        store.report(report("one", NOW));
        write(reportFile(), document);
    }

    @Override
    protected byte[] readRawReport()
    {
        return read(reportFile());
    }

    @Override
    protected String idOfUnreadableReport()
    {
        return reportFile().getFileName().toString();
    }

    private Path reportFile()
    {
        try (Stream<Path> files = Files.list(folder.resolve("coordinators"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("one-")).findFirst().orElseThrow();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    public void testAskingCreatesNothing()
    {
        RecordingListener listener = new RecordingListener();
        store.read();
        store.remove("one");
        try (WindowStore.Watch _ = store.watch(listener)) {
            listener.awaitScopes();
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    public void testFolderThatIsNone()
            throws IOException
    {
        Files.createDirectories(folder.getParent());
        Files.writeString(folder, "something else");
        assertThatThrownBy(store::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("%s is no folder: maintenance windows cannot be kept in it", folder);
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = store.watch(listener)) {
            assertThat(listener.awaitFailure()).hasMessageContaining(folder.toString());
            Files.delete(folder);
            listener.awaitScopes();
        }
    }

    @Test
    public void testUnreadableFileIsFailureNotAbsence()
            throws IOException
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        Files.delete(folder.resolve("windows.json"));
        Files.createDirectory(folder.resolve("windows.json"));
        assertThatThrownBy(store::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("windows.json cannot be read");
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = store.watch(listener)) {
            assertThat(listener.awaitFailure()).hasMessageContaining("windows.json cannot be read");
        }
    }

    @Test
    public void testBrokenFileIsRepaired()
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        byte[] good = readRaw();
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(SALES);
            writeRaw(new byte[0]);
            listener.awaitFailure();
            assertThat(listener.scopes()).containsExactly(SALES);
            writeRaw(good);
            int contacts = listener.contacts();
            awaitTrue(() -> listener.contacts() > contacts, "the watch goes on");
        }
    }

    @Test
    public void testMissingFileOfOpenWindowsIsFailure()
            throws IOException
    {
        MaintenanceWindow over = new MaintenanceWindow("over", STOCK, "r", "ann", NOW, Optional.of(NOW.plusSeconds(1)), Duration.ofSeconds(1), false, Optional.empty(), Optional.empty());
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.change(current -> WindowChange.open(current, over, NOW));
        Path file = folder.resolve("windows.json");
        Path away = parent.resolve("away");
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(SALES, STOCK);
            Files.move(file, away);
            assertThat(listener.awaitFailure()).hasMessage("file %s is missing, though it held 2 open windows when it was last read: they go on to hold; put the file back, or write it anew by opening and ending a window with enter_maintenance and exit_maintenance", file);
            clock.set(NOW.plusSeconds(1));
            listener.awaitFailure();
            assertThat(listener.awaitFailure()).hasMessageContaining("it held 1 open window when it was last read: it goes on to hold");
            assertThat(listener.scopes()).containsExactlyInAnyOrder(SALES, STOCK);
            int contacts = listener.contacts();
            listener.awaitFailure();
            assertThat(listener.contacts()).isEqualTo(contacts);

            Files.move(away, file);
            listener.awaitContacts(1);
            assertThat(listener.scopes()).containsExactlyInAnyOrder(SALES, STOCK);
            store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
            listener.awaitScopes(STOCK);

            // its time is over: nothing is lost
            Files.delete(file);
            listener.awaitScopes();
        }
    }

    @Test
    public void testVanishedFolderOfOpenWindowsIsFailure()
            throws IOException
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(SALES);
            Files.move(folder, parent.resolve("away"));
            assertThat(listener.awaitFailure()).hasMessageContaining("windows.json is missing, though it held 1 open window");
            // makes the folder anew, without the file
            store.report(report("one", NOW));
            listener.awaitFailure();
            assertThat(listener.awaitFailure()).hasMessageContaining("windows.json is missing");
            assertThat(listener.scopes()).containsExactly(SALES);

            // the way out
            store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
            listener.awaitScopes(STOCK);
            store.change(current -> WindowChange.end(current, STOCK, "ann", NOW));
            listener.awaitScopes();

            // now it held none
            deleteRecursively(folder, ALLOW_INSECURE);
            int contacts = listener.contacts();
            listener.awaitContacts(10);
            assertThat(listener.contacts()).isGreaterThan(contacts);
            assertThat(listener.scopes()).isEmpty();
        }
    }

    @Test
    public void testChangeOfSameSizeAndTimeIsNoticed()
            throws IOException
    {
        store.change(current -> WindowChange.open(current, window("first", WindowScope.catalog("a")), NOW));
        Path file = folder.resolve("windows.json");
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(WindowScope.catalog("a"));
            FileTime time = Files.getLastModifiedTime(file);
            byte[] document = Files.readString(file).replace("\"scope\":\"a\"", "\"scope\":\"b\"").getBytes(UTF_8);
            // written in place: the same file, size and, in the end, time
            Files.write(file, document);
            Files.setLastModifiedTime(file, time);
            listener.awaitScopes(WindowScope.catalog("b"));
        }
    }

    /** A process that dies while it writes leaves a store that can be read and changed, and all that it had been told was done. */
    @Test
    public void testKilledProcess()
            throws Exception
    {
        for (int round = 0; round < 3; round++) {
            String schema = "round" + round;
            Process process = startWriter(schema, 1_000_000);
            int done = -1;
            try (BufferedReader output = process.inputReader()) {
                while (done < 20 + 7 * round) {
                    String line = output.readLine();
                    assertThat(line).as("output of the writer").isNotNull();
                    done = Integer.parseInt(line);
                }
                // not the method of the process, which would close its output
                process.toHandle().destroyForcibly();
                // what it printed before it died
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    done = Integer.parseInt(line);
                }
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            Set<WindowScope> scopes = store.read().windows().stream().map(MaintenanceWindow::scope).collect(ImmutableSet.toImmutableSet());
            for (int i = 0; i <= done; i++) {
                assertThat(scopes).contains(WindowScope.table("lake", schema, "table" + i));
            }
            WindowScope mine = WindowScope.catalog("after" + round);
            store.change(current -> WindowChange.open(current, window(mine.toString(), mine), NOW));
            assertThat(other.read().window(mine)).isPresent();
        }
    }

    /** No change is lost among processes and class loaders that share a folder. */
    @Test
    public void testProcessesAndClassLoaders()
            throws Exception
    {
        int changes = 40;
        List<Process> processes = ImmutableList.of(startWriter("process0", changes), startWriter("process1", changes));
        try {
            together(4, writer -> {
                if (writer < 2) {
                    writeInOtherClassLoader("loader" + writer, changes);
                }
                else {
                    for (int i = 0; i < changes; i++) {
                        WindowScope scope = WindowScope.table("lake", "thread" + writer, "table" + i);
                        store.change(current -> WindowChange.open(current, window(scope.toString(), scope), NOW));
                    }
                }
                return Optional.empty();
            });
            for (Process process : processes) {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isZero();
            }
        }
        finally {
            processes.forEach(Process::destroyForcibly);
        }
        Map<String, Integer> counts = new TreeMap<>();
        store.read().windows().forEach(window -> counts.merge(window.scope().schema().orElseThrow(), 1, Integer::sum));
        assertThat(counts).hasSize(6);
        assertThat(counts.values()).containsOnly(changes);
    }

    @Test
    public void testTooManyReports()
            throws IOException
    {
        store.report(report("one", NOW));
        byte[] document = readRawReport();
        Path reports = folder.resolve("coordinators");
        IntStream.range(0, FileWindowStore.MAX_REPORTS).forEach(i -> write(reports.resolve(i + ".json"), document));
        assertThatThrownBy(store::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("more than 1000 reports of coordinators");
    }

    /** A folder on the place of the lock's file cannot be opened for writing, whoever tries: as on a file system that is read-only. */
    @Test
    public void testFolderThatCannotBeWrittenIsRead()
            throws IOException
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.report(report("one", NOW));
        WindowSnapshot before = store.read();
        Files.delete(folder.resolve("lock"));
        Files.createDirectory(folder.resolve("lock"));
        assertThat(other.read()).isEqualTo(before);
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(SALES);
        }
        assertThatThrownBy(() -> other.change(current -> WindowChange.end(current, SALES, "ann", NOW)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("lock cannot be locked (");
        assertThatThrownBy(() -> other.report(report("one", NOW.plusSeconds(1))))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("lock cannot be locked (");
        assertThatThrownBy(() -> other.remove("one"))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("lock cannot be locked (");
        assertThat(store.read()).isEqualTo(before);
    }

    @Test
    public void testUnreadableReportIsTakenOutByItsNameAlone()
            throws IOException
    {
        store.report(report("one", NOW));
        Path readable = reportFile();
        Path reports = folder.resolve("coordinators");
        Path broken = reports.resolve("other-0000.json");
        FileTime modified = FileTime.from(NOW.minusSeconds(3600));
        write(broken, "{".getBytes(UTF_8));
        Files.setLastModifiedTime(broken, modified);
        Path elsewhere = folder.resolve("other-0000.json");
        write(elsewhere, "{".getBytes(UTF_8));
        write(reports.resolve("notes.txt"), "{".getBytes(UTF_8));
        Files.createDirectory(reports.resolve("folder.json"));
        CoordinatorState lost = new CoordinatorState(new CoordinatorReport("other-0000.json", modified.toInstant(), modified.toInstant(), false, ImmutableMap.of(), ImmutableList.of(), 0), false);
        assertThat(store.read().coordinators()).contains(lost)
                .extracting(state -> state.report().coordinatorId()).containsExactly("folder.json", "one", "other-0000.json");

        for (String id : List.of(
                "coordinators/other-0000.json",
                "./other-0000.json",
                "../other-0000.json",
                "../coordinators/other-0000.json",
                broken.toString(),
                elsewhere.toString(),
                "other-0000",
                "notes.txt",
                "*.json",
                "",
                "..",
                "\0",
                readable.getFileName().toString())) {
            other.remove(id);
            assertThat(store.read().coordinators()).hasSize(3);
        }
        assertThat(elsewhere).exists();
        assertThat(reports.resolve("notes.txt")).exists();

        other.remove("other-0000.json");
        other.remove("folder.json");
        assertThat(broken).doesNotExist();
        assertThat(elsewhere).exists();
        assertThat(store.read().coordinators()).containsExactly(new CoordinatorState(report("one", NOW), true));
    }

    @Test
    public void testReportOfTheFutureIsNotLive()
    {
        store.report(report("far", Instant.parse("2099-01-01T00:00:00Z")));
        store.report(report("last", Instant.MAX));
        store.report(report("near", NOW.plus(PRESENCE_TIMEOUT).minusNanos(1)));
        store.report(report("next", NOW.plus(PRESENCE_TIMEOUT)));
        assertThat(other.read().coordinators())
                .filteredOn(CoordinatorState::live)
                .extracting(state -> state.report().coordinatorId()).containsExactly("near");
    }

    /** The name of a file may be an identity too. */
    @Test
    public void testReportGoesBeforeFileOfItsName()
    {
        store.report(report("other-0000.json", NOW));
        Path broken = folder.resolve("coordinators/other-0000.json");
        write(broken, "{".getBytes(UTF_8));
        other.remove("other-0000.json");
        assertThat(store.read().coordinators()).extracting(CoordinatorState::live).containsExactly(false);
        other.remove("other-0000.json");
        assertThat(store.read().coordinators()).isEmpty();
    }

    @Test
    public void testFactory()
    {
        WindowStoreConfig config = new WindowStoreConfig().setFilePath(folder.toFile());
        try (WindowStore made = WindowStores.create(config)) {
            made.change(current -> WindowChange.open(current, window("first", SALES), NOW));
            made.report(report("one", InstantSource.system().instant()));
            assertThat(made.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isTrue());
        }
        assertThat(store.read().window(SALES)).isPresent();
    }

    private Process startWriter(String schema, int changes)
            throws IOException
    {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FileStoreWriter.class.getName(),
                folder.toString(),
                schema,
                String.valueOf(changes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(changes > 1000 ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void writeInOtherClassLoader(String schema, int changes)
            throws Exception
    {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> writer = loader.loadClass(FileStoreWriter.class.getName());
            assertThat(writer).isNotSameAs(FileStoreWriter.class);
            writer.getMethod("main", String[].class).invoke(null, (Object) new String[] {folder.toString(), schema, String.valueOf(changes)});
        }
    }

    private static void write(Path file, byte[] content)
    {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(Path file)
    {
        try {
            return Files.readAllBytes(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
