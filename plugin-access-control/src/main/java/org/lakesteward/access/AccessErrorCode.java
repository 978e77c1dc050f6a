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
package org.lakesteward.access;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.INSUFFICIENT_RESOURCES;

/**
 * What a user can see refused by Lakesteward's access control. Numbers are stable: new ones are appended, none is reused.
 */
public enum AccessErrorCode
        implements ErrorCodeSupplier
{
    /** A maintenance window is open for what the statement would change, or nobody can tell whether one is. It can be repeated later. */
    CLUSTER_IN_MAINTENANCE(0, INSUFFICIENT_RESOURCES),
    /**/;

    /** Plugins outside Trino number from {@code 0x0100_0000}; this block is Lakesteward's access control, the one before is its lake connector. */
    private static final int BASE = 0x0113_0000;

    private final ErrorCode errorCode;

    AccessErrorCode(int code, ErrorType type)
    {
        // fatal: the engine must not repeat the statement by itself, it would be refused again
        errorCode = new ErrorCode(BASE + code, name(), type, true);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
