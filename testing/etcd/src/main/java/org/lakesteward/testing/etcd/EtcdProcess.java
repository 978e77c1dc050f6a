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
package org.lakesteward.testing.etcd;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.util.Objects.requireNonNull;

/**
 * A real etcd of one member on free ports of the loopback address, with its data in a temporary folder. It can be stopped, killed
 * and frozen, and keeps its address and data until it is closed. It does not outlive this process. Not thread-safe.
 */
public final class EtcdProcess
        implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String scheme;
    private final List<String> arguments;
    private final Path folder;
    private final Thread killer;
    private final int clientPort;
    private final int peerPort;
    private final int metricsPort;
    private volatile Process process;

    private EtcdProcess(String scheme, List<String> arguments)
    {
        this.scheme = requireNonNull(scheme, "scheme is null");
        this.arguments = ImmutableList.copyOf(arguments);
        try {
            folder = Files.createTempDirectory("etcd");
            // open together, so that they differ
            try (ServerSocket client = freePort(); ServerSocket peer = freePort(); ServerSocket metrics = freePort()) {
                clientPort = client.getLocalPort();
                peerPort = peer.getLocalPort();
                metricsPort = metrics.getLocalPort();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        killer = new Thread(this::destroy);
        Runtime.getRuntime().addShutdownHook(killer);
    }

    private static ServerSocket freePort()
            throws IOException
    {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /**
     * Starts etcd without TLS and waits until it answers.
     *
     * @throws IllegalStateException when there is no etcd on this machine, or when it does not start
     */
    public static EtcdProcess start()
    {
        EtcdProcess etcd = prepare();
        etcd.startOrClose();
        return etcd;
    }

    /**
     * Starts etcd without TLS and waits until it answers.
     *
     * @param arguments more of its flags
     */
    public static EtcdProcess startWith(String... arguments)
    {
        EtcdProcess etcd = new EtcdProcess("http", ImmutableList.copyOf(arguments));
        etcd.startOrClose();
        return etcd;
    }

    /**
     * Chooses the ports without starting etcd: {@link #restart} does.
     */
    public static EtcdProcess prepare()
    {
        return new EtcdProcess("http", ImmutableList.of());
    }

    /**
     * Starts etcd with TLS for its clients and waits until it answers.
     *
     * @param clientCaFile authority that must have signed the certificates of clients
     */
    public static EtcdProcess startWithTls(Path certificateFile, Path keyFile, Path clientCaFile)
    {
        EtcdProcess etcd = new EtcdProcess("https", ImmutableList.of(
                "--cert-file=" + certificateFile,
                "--key-file=" + keyFile,
                "--client-cert-auth",
                "--trusted-ca-file=" + clientCaFile));
        etcd.startOrClose();
        return etcd;
    }

    /** The address for clients, such as {@code http://127.0.0.1:40000}. */
    public String endpoint()
    {
        return "%s://127.0.0.1:%s".formatted(scheme, clientPort);
    }

    /**
     * Starts etcd on the data that it had, if any, and waits until it answers.
     */
    public void restart()
    {
        if (process != null) {
            throw new IllegalStateException("etcd runs already");
        }
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(ImmutableList.of(
                program().toString(),
                "--name=test",
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + endpoint(),
                "--advertise-client-urls=" + endpoint(),
                "--listen-peer-urls=http://127.0.0.1:" + peerPort,
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peerPort,
                "--initial-cluster=test=http://127.0.0.1:" + peerPort,
                "--listen-metrics-urls=http://127.0.0.1:" + metricsPort,
                "--logger=zap",
                "--log-level=warn"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        if (System.getProperty("os.arch").equals("aarch64")) {
            // etcd 3.4 wants to be asked twice
            builder.environment().put("ETCD_UNSUPPORTED_ARCH", "arm64");
        }
        try {
            process = builder.start();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitHealth(log);
    }

    /** Ends etcd in good order. */
    public void stop()
    {
        running().destroy();
        awaitEnd();
    }

    /** Ends etcd at once, as a failure of the machine would. */
    public void kill()
    {
        running().destroyForcibly();
        awaitEnd();
    }

    /** Stops etcd from doing anything; its connections stay open. */
    public void freeze()
    {
        signal("STOP");
    }

    public void thaw()
    {
        signal("CONT");
    }

    @Override
    public void close()
    {
        destroy();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        catch (IllegalStateException e) {
            // this process ends
        }
    }

    private void startOrClose()
    {
        try {
            restart();
        }
        catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Path program()
    {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path program = Path.of(directory.isEmpty() ? "." : directory, "etcd");
            if (Files.isExecutable(program) && !Files.isDirectory(program)) {
                return program;
            }
        }
        throw new IllegalStateException("there is no program etcd in PATH, and tests of the store start one: install it (Debian and Ubuntu: apt-get install etcd-server)");
    }

    private void awaitHealth(Path log)
    {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s/health".formatted(metricsPort)))
                .timeout(Duration.ofSeconds(5))
                .build();
        long start = System.nanoTime();
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build()) {
            while (true) {
                try {
                    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() == 200 && response.body().contains("\"health\":\"true\"")) {
                        return;
                    }
                }
                catch (IOException e) {
                    // it does not listen yet
                }
                if (!process.isAlive() || System.nanoTime() - start > LIMIT.toNanos()) {
                    throw new IllegalStateException("etcd did not start: " + Files.readString(log));
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for etcd", e);
        }
    }

    private Process running()
    {
        if (process == null) {
            throw new IllegalStateException("etcd does not run");
        }
        return process;
    }

    private void awaitEnd()
    {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("etcd did not end within " + LIMIT);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of etcd", e);
        }
        process = null;
    }

    private void signal(String name)
    {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(running().pid())).inheritIO().start();
            if (!kill.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("etcd could not be sent the signal " + name);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal to etcd", e);
        }
    }

    private void destroy()
    {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd();
        }
        try {
            MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
