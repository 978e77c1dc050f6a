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
package org.lakesteward.planner.window;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Windows for tests, which differ in scope and end alone.
 */
final class Windows
{
    static final Instant OPENED = Instant.parse("2026-11-30T10:00:00Z");

    private Windows() {}

    static MaintenanceWindow window(String scope)
    {
        return window(scope, Optional.empty());
    }

    static MaintenanceWindow window(String scope, Optional<Instant> until)
    {
        return new MaintenanceWindow("id of " + scope, WindowScope.parse(scope), "restore", "alice", OPENED, until, Duration.ofSeconds(30), false, Optional.empty(), Optional.empty());
    }
}
