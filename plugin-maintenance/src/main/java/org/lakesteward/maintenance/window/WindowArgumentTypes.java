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
package org.lakesteward.maintenance.window;

import io.trino.spi.procedure.Procedure.Argument;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeDescriptor;
import io.trino.spi.type.TypeManager;
import org.lakesteward.planner.window.WindowScope;

import java.time.Duration;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.StandardTypes.INTERVAL_DAY_TO_SECOND;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Declares the arguments that several procedures have. Each is optional.
 */
final class WindowArgumentTypes
{
    private final Type interval;

    WindowArgumentTypes(TypeManager typeManager)
    {
        this.interval = typeManager.getType(new TypeDescriptor(INTERVAL_DAY_TO_SECOND));
    }

    Argument scope()
    {
        return new Argument("SCOPE", VARCHAR, false, utf8Slice(WindowScope.CLUSTER_WORD));
    }

    /** An interval is a number of milliseconds in the engine. */
    Argument interval(String name, Duration defaultValue)
    {
        return new Argument(name, interval, false, defaultValue.toMillis());
    }

    Argument intervalOrNull(String name)
    {
        return new Argument(name, interval, false, null);
    }
}
