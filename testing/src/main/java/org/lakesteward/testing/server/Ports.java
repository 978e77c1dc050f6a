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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on the loopback interface.
 */
final class Ports
{
    // Below the ranges from which operating systems take ports for outgoing connections: between the moment that a port
    // is found free and the moment that a server binds it, no client connection can take it.
    private static final int FIRST = 20_000;
    private static final int LAST = 29_999;

    private Ports() {}

    /**
     * As many distinct ports as wanted, each free at the moment of the call.
     *
     * @throws ServerStartException if there are not enough
     */
    static List<Integer> free(int count)
    {
        int size = LAST - FIRST + 1;
        int start = ThreadLocalRandom.current().nextInt(size);
        Set<Integer> ports = new LinkedHashSet<>();
        for (int offset = 0; offset < size && ports.size() < count; offset++) {
            int port = FIRST + (start + offset) % size;
            if (isFree(port)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new ServerStartException("Found %s of %s free ports between %s and %s".formatted(ports.size(), count, FIRST, LAST));
        }
        return List.copyOf(ports);
    }

    static boolean isFree(int port)
    {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }
}
