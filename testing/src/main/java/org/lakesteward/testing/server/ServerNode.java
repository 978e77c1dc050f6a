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
package org.lakesteward.testing.server;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.ProcessBuilder.Redirect.appendTo;
import static java.util.Objects.requireNonNull;

/**
 * One Trino server in a process of its own. The process ends when this one does, however this one ends. Thread-safe.
 */
public final class ServerNode
        implements AutoCloseable
{
    private static final String MAIN_CLASS = "org.lakesteward.testing.process.ServerProcess";
    private static final int STOP_SECONDS = 20;
    private static final int LOG_TAIL_LINES = 40;

    private final NodeRole role;
    private final String id;
    private final int port;
    private final Path folder;
    private final List<Path> classPath;
    private final Map<String, String> environment;

    private Optional<Process> process = Optional.empty();

    ServerNode(NodeRole role, String id, int port, Path folder, List<Path> classPath, Map<String, String> environment)
    {
        this.role = requireNonNull(role, "role is null");
        this.id = requireNonNull(id, "id is null");
        this.port = port;
        this.folder = requireNonNull(folder, "folder is null").toAbsolutePath();
        this.classPath = ImmutableList.copyOf(requireNonNull(classPath, "classPath is null"));
        this.environment = ImmutableMap.copyOf(requireNonNull(environment, "environment is null"));
    }

    public NodeRole role()
    {
        return role;
    }

    /**
     * The node's identifier in Trino's {@code system.runtime.nodes}; a restarted node keeps it.
     */
    public String id()
    {
        return id;
    }

    public URI uri()
    {
        return URI.create("http://127.0.0.1:" + port);
    }

    public Path log()
    {
        return folder.resolve("var/log/server.log");
    }

    /**
     * @throws IllegalStateException if the node was never started
     */
    public synchronized long pid()
    {
        return process.orElseThrow(() -> new IllegalStateException(id + " was never started")).pid();
    }

    public synchronized boolean isAlive()
    {
        return process.isPresent() && process.get().isAlive();
    }

    /**
     * The exit code of a process that has ended.
     */
    synchronized Optional<Integer> exitCode()
    {
        return process.filter(process -> !process.isAlive()).map(Process::exitValue);
    }

    synchronized void start()
    {
        checkState(!isAlive(), "%s is running", id);
        try {
            Files.createDirectories(log().getParent());
            ProcessBuilder builder = new ProcessBuilder(command())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(appendTo(log().toFile()));
            builder.environment().putAll(environment);
            // keeps colour codes out of the log
            builder.environment().put("TERM", "dumb");
            // the server watches its standard input, and ends when this process no longer holds the other end
            process = Optional.of(builder.start());
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + id, e);
        }
    }

    private List<String> command()
            throws IOException
    {
        ImmutableList.Builder<String> command = ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .addAll(Files.readAllLines(folder.resolve("etc/jvm.config")).stream()
                        .map(String::trim)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .toList());
        // Trino's own launcher also turns the node's properties into system properties
        PropertiesFile.read(folder.resolve("etc/node.properties")).properties()
                .forEach((key, value) -> command.add("-D%s=%s".formatted(key, value)));
        return command
                .add("-Dnode.id=" + id)
                .add("-Dnode.data-dir=" + folder)
                .add("-Dconfig=etc/config.properties")
                .add("-Dlog.levels-file=etc/log.properties")
                .add("-cp", Joiner.on(File.pathSeparator).join(classPath))
                .add(MAIN_CLASS)
                .build();
    }

    /**
     * Ends the process at once, as a crash would (SIGKILL), and waits until it is gone.
     */
    public synchronized void kill()
    {
        process.ifPresent(process -> await(process.destroyForcibly()));
    }

    /**
     * Shuts the server down in order; one that has not ended after 20 seconds is killed.
     */
    public synchronized void stop()
    {
        process.ifPresent(process -> {
            // through the handle, which leaves the server's standard input open: its end would cut the orderly shutdown short
            process.toHandle().destroy();
            try {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    await(process.destroyForcibly());
                }
            }
            catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void close()
    {
        stop();
    }

    /**
     * The last lines of the server's log, for messages about failures.
     */
    String logTail()
    {
        try {
            List<String> lines = Files.readAllLines(log());
            return Joiner.on('\n').join(lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        }
        catch (IOException e) {
            return "(no log: %s)".formatted(e.getMessage());
        }
    }

    private static void await(Process process)
    {
        try {
            process.waitFor();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
