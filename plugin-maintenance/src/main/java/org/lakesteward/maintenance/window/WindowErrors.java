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

import io.trino.spi.TrinoException;
import org.lakesteward.maintenance.control.ControlErrorCode;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.store.window.WindowStoreException;

import java.util.function.Supplier;

import static org.lakesteward.maintenance.control.ControlErrorCode.INVALID_WINDOW_ARGUMENT;
import static org.lakesteward.maintenance.control.ControlErrorCode.NO_SUCH_COORDINATOR;
import static org.lakesteward.maintenance.control.ControlErrorCode.NO_SUCH_WINDOW;
import static org.lakesteward.maintenance.control.ControlErrorCode.TOO_MANY_WINDOWS;
import static org.lakesteward.maintenance.control.ControlErrorCode.WINDOW_EXISTS;
import static org.lakesteward.maintenance.control.ControlErrorCode.WINDOW_STORE_UNAVAILABLE;

/**
 * Turns what the rules and the store throw into errors that a client of Trino gets with their code.
 */
final class WindowErrors
{
    private WindowErrors() {}

    static <T> T translated(Supplier<T> action)
    {
        try {
            return action.get();
        }
        catch (InvalidWindowException e) {
            throw new TrinoException(code(e.reason()), e.getMessage(), e);
        }
        catch (WindowStoreException e) {
            throw new TrinoException(WINDOW_STORE_UNAVAILABLE, e.getMessage(), e);
        }
    }

    private static ControlErrorCode code(InvalidWindowException.Reason reason)
    {
        return switch (reason) {
            case INVALID_ARGUMENT -> INVALID_WINDOW_ARGUMENT;
            case WINDOW_EXISTS -> WINDOW_EXISTS;
            case NO_SUCH_WINDOW -> NO_SUCH_WINDOW;
            case TOO_MANY_WINDOWS -> TOO_MANY_WINDOWS;
            case NO_SUCH_COORDINATOR -> NO_SUCH_COORDINATOR;
        };
    }
}
