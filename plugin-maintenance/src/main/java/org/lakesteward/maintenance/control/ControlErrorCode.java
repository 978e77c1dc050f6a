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
package org.lakesteward.maintenance.control;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;
import static io.trino.spi.ErrorType.INSUFFICIENT_RESOURCES;
import static io.trino.spi.ErrorType.USER_ERROR;

/**
 * What a user of the control catalog can see go wrong. Numbers are stable: new ones are appended, none is reused.
 */
public enum ControlErrorCode
        implements ErrorCodeSupplier
{
    /** An argument of a procedure about windows is out of its range. Nothing was changed. */
    INVALID_WINDOW_ARGUMENT(0, USER_ERROR),
    /** A window with this scope is open already. Nothing was changed. */
    WINDOW_EXISTS(1, USER_ERROR),
    /** No window with this scope is open, or it ended while a call waited for it. */
    NO_SUCH_WINDOW(2, USER_ERROR),
    /** So many windows are open that no more are accepted. Nothing was changed. */
    TOO_MANY_WINDOWS(3, USER_ERROR),
    /** No such coordinator reports, or it is live and cannot be forgotten. Nothing was changed. */
    NO_SUCH_COORDINATOR(4, USER_ERROR),
    /** The window is open, but writes may still be in flight. It stays open. */
    MAINTENANCE_NOT_CLOSED(5, INSUFFICIENT_RESOURCES),
    /** The store of windows did not answer, or holds what this version cannot read. */
    WINDOW_STORE_UNAVAILABLE(6, EXTERNAL),
    /**/;

    /** Plugins outside Trino number from {@code 0x0100_0000}; this block is Lakesteward's control connector. */
    private static final int BASE = 0x0114_0000;

    private final ErrorCode errorCode;

    ControlErrorCode(int code, ErrorType type)
    {
        errorCode = new ErrorCode(BASE + code, name(), type, type == USER_ERROR);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
