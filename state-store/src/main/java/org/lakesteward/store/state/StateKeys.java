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
package org.lakesteward.store.state;

import java.net.URLEncoder;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Where what stands in the store. The keys are below the lake's own prefix, which the store adds. Ids of free text are encoded as in
 * URLs.
 */
public final class StateKeys
{
    /** The form of the whole store, see {@link StoreSchema}. */
    public static final String SCHEMA = "schema";
    /** There while a leader holds its lease. */
    public static final String LEADER = "leader";
    public static final String DEMAND = "demand/";
    /** Leased: there while the executor is live. */
    public static final String EXECUTORS = "executors/";
    /** Durable: an operation that was placed and is not over. */
    public static final String ASSIGNMENTS = "assignments/";
    public static final String LOCKS = "locks/";
    public static final String LEDGER = "ledger/";
    public static final String OWNERS = "owners/";

    private StateKeys() {}

    public static String demand(UUID table)
    {
        return DEMAND + table;
    }

    public static String executor(String executorId)
    {
        return EXECUTORS + encoded(executorId);
    }

    public static String assignment(String operationId)
    {
        return ASSIGNMENTS + encoded(operationId);
    }

    public static String lock(UUID table)
    {
        return LOCKS + table;
    }

    /** All entries of the ledger on a table. */
    public static String ledger(UUID table)
    {
        return LEDGER + table + "/";
    }

    public static String ledger(UUID table, String entryId)
    {
        return ledger(table) + encoded(entryId);
    }

    public static String owner(UUID table)
    {
        return OWNERS + table;
    }

    private static String encoded(String id)
    {
        return URLEncoder.encode(id, UTF_8);
    }
}
