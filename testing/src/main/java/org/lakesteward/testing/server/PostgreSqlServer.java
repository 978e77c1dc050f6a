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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static java.lang.ProcessBuilder.Redirect.appendTo;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/**
 * A PostgreSQL server of its own on a loopback port, with an Iceberg JDBC catalog in it that several engines can share. Its files
 * lie in a temporary folder; the server and the folder go when this process ends, however it ends. Another PostgreSQL of the same
 * machine is neither used nor disturbed. Thread-safe.
 */
public final class PostgreSqlServer
        implements AutoCloseable
{
    private static final String USER = "lakesteward";
    private static final int GROUP_WITHOUT_RIGHTS = 65_534;
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final int STOP_SECONDS = 20;

    /**
     * Makes the databases and runs the server until standard input ends, which it does when the starter closes it or dies. An
     * interrupt of the terminal must not end this script before that. Arguments: folder of PostgreSQL's programs, folder of the
     * data, port, user. First line of standard input: the user's password, which no list of processes then shows.
     */
    private static final String SUPERVISOR =
            """
            trap '' INT HUP TERM
            umask 077
            read -r password
            printf '%s' "$password" > "$2/password"
            if ! "$1/initdb" --pgdata="$2/data" --username="$4" --pwfile="$2/password" --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync </dev/null
            then
                rm -rf "$2"
                exit 1
            fi
            rm "$2/password"
            exec 3<&0
            "$1/postgres" -D "$2/data" -p "$3" -c listen_addresses=127.0.0.1 -c unix_socket_directories= 3<&- </dev/null &
            server=$!
            # again and again, since a server that has just begun still ignores the signal as this script does
            { cat <&3 >/dev/null; while kill -INT "$server"; do sleep 1; done; } 2>/dev/null &
            watch=$!
            wait "$server"
            code=$?
            kill -KILL "$watch" 2>/dev/null
            rm -rf "$2"
            exit "$code"
            """;

    private final Process process;
    private final int port;
    private final String password;
    private final Path log;

    private PostgreSqlServer(Process process, int port, String password, Path log)
    {
        this.process = requireNonNull(process, "process is null");
        this.port = port;
        this.password = requireNonNull(password, "password is null");
        this.log = requireNonNull(log, "log is null");
    }

    /**
     * Makes a new database cluster, starts a server on it and creates the tables of an empty Iceberg catalog.
     *
     * @param log where the server's output goes; the folder is created if missing
     * @throws ServerStartException if PostgreSQL is not installed or does not start; nothing stays behind
     */
    public static PostgreSqlServer start(Path log)
    {
        PostgreSqlInstallation installation = PostgreSqlInstallation.find();
        String password = HexFormat.of().formatHex(randomBytes());
        int port = Ports.free(1).getFirst();
        PostgreSqlServer server;
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            server = new PostgreSqlServer(startProcess(installation, port, log), port, password, log);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start PostgreSQL", e);
        }
        try {
            OutputStream input = server.process.getOutputStream();
            input.write((password + "\n").getBytes(US_ASCII));
            input.flush();
            server.createCatalog();
            return server;
        }
        catch (IOException e) {
            server.close();
            throw new ServerStartException("PostgreSQL did not start: see " + log, e);
        }
        catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static Process startProcess(PostgreSqlInstallation installation, int port, Path log)
            throws IOException
    {
        Optional<UserPrincipal> owner = otherUser();
        // in the system's temporary folder, since another user can reach that, but not always the checkout
        Path folder = Files.createTempDirectory("lakesteward-postgresql-");
        try {
            if (owner.isPresent()) {
                Files.setOwner(folder, owner.get());
            }
            ImmutableList.Builder<String> command = ImmutableList.builder();
            // it replaces itself by the shell, so that no process stands between
            owner.ifPresent(user -> command.add("setpriv", "--reuid=" + user.getName(), "--regid=" + GROUP_WITHOUT_RIGHTS, "--clear-groups", "--"));
            command.add("sh", "-c", SUPERVISOR, "postgresql-supervisor");
            command.add(installation.programs().toString(), folder.toString(), Integer.toString(port), USER);
            return new ProcessBuilder(command.build())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(appendTo(log.toFile()))
                    .start();
        }
        catch (IOException | RuntimeException e) {
            Files.delete(folder);
            throw e;
        }
    }

    /**
     * PostgreSQL refuses to run as root, so root starts it as the user that its package made, or as nobody.
     */
    private static Optional<UserPrincipal> otherUser()
    {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.empty();
        }
        for (String name : ImmutableList.of("postgres", "nobody")) {
            try {
                return Optional.of(FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name));
            }
            catch (UserPrincipalNotFoundException e) {
                // the next one, then
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new ServerStartException("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: start this as another user");
    }

    private static byte[] randomBytes()
    {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private void createCatalog()
    {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(jdbcUrl(), USER, password)) {
                IcebergCatalogTables.create(connection);
                return;
            }
            catch (SQLException e) {
                if (!process.isAlive()) {
                    throw new ServerStartException("PostgreSQL ended with exit code %s: see %s".formatted(process.exitValue(), log), e);
                }
                if (System.nanoTime() > deadline) {
                    throw new ServerStartException("PostgreSQL was not ready after %s s: %s; see %s".formatted(START_LIMIT.toSeconds(), e.getMessage(), log), e);
                }
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ServerStartException("Interrupted while waiting for PostgreSQL", e);
            }
        }
    }

    /** The server's version in its own words, such as {@code 15.18 (Debian 15.18-0+deb12u1)} */
    public String version()
    {
        try (Connection connection = DriverManager.getConnection(jdbcUrl(), USER, password)) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
        catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL does not answer: " + e.getMessage(), e);
        }
    }

    public String jdbcUrl()
    {
        return "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(port);
    }

    public String user()
    {
        return USER;
    }

    public String password()
    {
        return password;
    }

    /** By which a Trino catalog with {@code iceberg.catalog.type=jdbc} finds the Iceberg catalog */
    public Map<String, String> trinoCatalogProperties()
    {
        return ImmutableMap.of(
                "iceberg.jdbc-catalog.driver-class", "org.postgresql.Driver",
                "iceberg.jdbc-catalog.connection-url", jdbcUrl(),
                "iceberg.jdbc-catalog.connection-user", USER,
                "iceberg.jdbc-catalog.connection-password", password);
    }

    /** Process id of what runs as long as the server does */
    public long pid()
    {
        return process.pid();
    }

    @Override
    public void close()
    {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            // the server ends with its standard input, whether or not it is waited for
            Thread.currentThread().interrupt();
        }
    }
}
