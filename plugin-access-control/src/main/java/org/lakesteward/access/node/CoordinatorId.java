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
package org.lakesteward.access.node;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The name under which a coordinator reports: the same after a restart, and no other coordinator's.
 */
public final class CoordinatorId
{
    private CoordinatorId() {}

    /**
     * @param configured what the operator chose
     * @param nodeId Trino's {@code node.id}
     */
    public static String of(Optional<String> configured, Optional<String> nodeId)
    {
        return configured
                .or(() -> nodeId)
                // two servers of one host run in different folders
                .orElseGet(() -> hostName() + ":" + Path.of("").toAbsolutePath());
    }

    private static String hostName()
    {
        try {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
