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
package org.lakesteward.procedure;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;
import static io.trino.spi.ErrorType.INTERNAL_ERROR;
import static io.trino.spi.ErrorType.USER_ERROR;

/**
 * What a user of the lake connector can see go wrong. Numbers are stable: new ones are appended, none is reused.
 */
public enum LakeErrorCode
        implements ErrorCodeSupplier
{
    /** An argument of a table procedure or table function is out of its range. */
    INVALID_MAINTENANCE_ARGUMENT(0, USER_ERROR),
    /** The table cannot be maintained as asked: its format, version, location provider or encryption is not supported. */
    MAINTENANCE_NOT_SUPPORTED(1, USER_ERROR),
    /** A WHERE clause selects a part of a file, so that no set of whole files answers it. */
    PARTIAL_PARTITION_PREDICATE(2, USER_ERROR),
    /** Somebody else committed to the files that were rewritten. Nothing was changed; the statement can be repeated. */
    REWRITE_CONFLICT(3, EXTERNAL),
    /** The check of rows or files before the commit did not come out even. Nothing was changed. */
    REWRITE_VERIFICATION_FAILED(4, INTERNAL_ERROR),
    /** The catalog refused the commit. Nothing was changed. */
    REWRITE_COMMIT_FAILED(5, EXTERNAL),
    /** The catalog did not say whether the commit took place. All files were kept. */
    REWRITE_OUTCOME_UNKNOWN(6, EXTERNAL),
    /** Table metadata could not be read. */
    TABLE_METADATA_UNREADABLE(7, EXTERNAL),
    /**/;

    /** Plugins outside Trino number from here: {@code 0x0100_0000}; this block is Lakesteward's lake connector. */
    private static final int BASE = 0x0112_0000;

    private final ErrorCode errorCode;

    LakeErrorCode(int code, ErrorType type)
    {
        // fatal errors are not worth a retry of the query by the engine
        errorCode = new ErrorCode(BASE + code, name(), type, type == USER_ERROR);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
