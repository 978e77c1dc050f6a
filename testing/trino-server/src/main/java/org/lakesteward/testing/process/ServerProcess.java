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
package org.lakesteward.testing.process;

import io.trino.server.Server;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Main class of a Trino server process whose life is bound to that of its starter.
 * The starter holds the other end of standard input; when it closes that end or dies, however it dies, this process ends too.
 */
public final class ServerProcess
{
    /** The Trino version that the server announces to its clients */
    private static final String VERSION = "483";

    private ServerProcess() {}

    /**
     * @param arguments none
     */
    static void main(String[] arguments)
    {
        Thread.ofPlatform().name("starter-watch").daemon().start(ServerProcess::exitWithStarter);
        new Server().start(VERSION);
    }

    private static void exitWithStarter()
    {
        try {
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            // no orderly shutdown: nobody is left to wait for it, and a hook that hangs would leave the process behind
            Runtime.getRuntime().halt(1);
        }
    }
}
