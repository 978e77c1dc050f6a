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

import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Opens windows in a folder, one after the other: for tests that need another process or another class loader.
 */
public final class FileStoreWriter
{
    private FileStoreWriter() {}

    /**
     * @param arguments the folder, the schema that the windows are on, and their number
     */
    public static void main(String[] arguments)
    {
        String schema = arguments[1];
        try (WindowStore store = new FileWindowStore(Path.of(arguments[0]), Duration.ofSeconds(15), InstantSource.system())) {
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                WindowScope scope = WindowScope.table("lake", schema, "table" + i);
                MaintenanceWindow window = new MaintenanceWindow(scope.toString(), scope, "test", "ann", Instant.now(), Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.empty());
                store.change(current -> WindowChange.open(current, window, Instant.now()));
                System.out.println(i);
            }
        }
    }
}
