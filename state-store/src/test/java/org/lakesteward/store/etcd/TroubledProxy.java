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
package org.lakesteward.store.etcd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

/**
 * Stands between a client and etcd, and spoils the one connection on which a request with a given text is sent: the request comes
 * late or its answer is lost. Other connections, also later ones, are not disturbed.
 */
public final class TroubledProxy
        implements AutoCloseable
{
    public enum Trouble
    {
        /** Requests are delivered, answers are not. */
        LOSE_ANSWERS,
        /** The request is held back until it is released. What follows on the connection, such as its withdrawal, is lost. */
        HOLD_REQUEST,
    }

    private final ServerSocket server;
    private final URI target;
    private final ExecutorService executor = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private Optional<Plan> plan = Optional.empty();

    private record Plan(String text, Trouble trouble) {}

    public TroubledProxy(String target)
    {
        this.target = URI.create(target);
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        executor.execute(this::accept);
    }

    public URI endpoint()
    {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** Happens once. */
    public synchronized void plan(String text, Trouble trouble)
    {
        plan = Optional.of(new Plan(text, trouble));
    }

    /** Whether the request has come. */
    public synchronized boolean hasHappened()
    {
        return plan.isEmpty();
    }

    /** Delivers what was held back. */
    public void release()
    {
        connections.forEach(Connection::release);
    }

    /** Whether etcd has sent something on a connection after what was held back on it had been delivered. */
    public boolean answeredAfterRelease()
    {
        return connections.stream().anyMatch(connection -> connection.answeredAfterRelease);
    }

    @Override
    public void close()
    {
        try {
            server.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::close);
        executor.shutdownNow();
    }

    private void accept()
    {
        while (true) {
            try {
                Socket client = server.accept();
                Connection connection = new Connection(client, new Socket(target.getHost(), target.getPort()));
                connections.add(connection);
                executor.execute(connection::forwardRequests);
                executor.execute(connection::forwardAnswers);
            }
            catch (IOException e) {
                // closed
                return;
            }
        }
    }

    private synchronized Optional<Trouble> troubleOf(byte[] request)
    {
        String text = new String(request, ISO_8859_1);
        Optional<Trouble> trouble = plan.filter(planned -> text.contains(planned.text())).map(Plan::trouble);
        if (trouble.isPresent()) {
            plan = Optional.empty();
        }
        return trouble;
    }

    private final class Connection
    {
        private final Socket client;
        private final Socket etcd;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private volatile Optional<Trouble> trouble = Optional.empty();
        private volatile boolean released;
        private volatile boolean answeredAfterRelease;

        private Connection(Socket client, Socket etcd)
        {
            this.client = requireNonNull(client, "client is null");
            this.etcd = requireNonNull(etcd, "etcd is null");
        }

        private void forwardRequests()
        {
            try {
                InputStream input = client.getInputStream();
                OutputStream output = etcd.getOutputStream();
                byte[] buffer = new byte[1 << 16];
                for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                    byte[] request = Arrays.copyOf(buffer, length);
                    boolean already = trouble.isPresent();
                    if (!already) {
                        trouble = troubleOf(request);
                    }
                    if (!trouble.equals(Optional.of(Trouble.HOLD_REQUEST))) {
                        output.write(request);
                    }
                    else if (!already) {
                        synchronized (held) {
                            held.write(request);
                        }
                    }
                }
            }
            catch (IOException e) {
                // closed
            }
            if (!trouble.equals(Optional.of(Trouble.HOLD_REQUEST))) {
                close();
            }
        }

        private void forwardAnswers()
        {
            try {
                InputStream input = etcd.getInputStream();
                OutputStream output = client.getOutputStream();
                byte[] buffer = new byte[1 << 16];
                for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                    if (released) {
                        answeredAfterRelease = true;
                    }
                    if (trouble.isEmpty()) {
                        output.write(buffer, 0, length);
                    }
                }
            }
            catch (IOException e) {
                // closed
            }
            close();
        }

        private void release()
        {
            try {
                synchronized (held) {
                    if (held.size() > 0) {
                        released = true;
                        etcd.getOutputStream().write(held.toByteArray());
                        held.reset();
                    }
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void close()
        {
            try (client; etcd) {
                connections.remove(this);
            }
            catch (IOException e) {
                // closed all the same
            }
        }
    }
}
