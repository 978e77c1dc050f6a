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
package org.lakesteward.planner.ledger;

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/**
 * Something to be entered into a table's ledger. Events may be doubled, late and out of order.
 */
public sealed interface LedgerEvent
{
    String tableUuid();

    /** A run ended. */
    record RunEnded(RunRecord run)
            implements LedgerEvent
    {
        public RunEnded
        {
            requireNonNull(run, "run is null");
        }

        @Override
        public String tableUuid()
        {
            return run.tableUuid();
        }
    }

    /** An operator said that nothing is to run on the table, or that it may again, with failures so far forgotten. */
    record OperatorOrder(String tableUuid, boolean suspended, String by, String reason, Instant at)
            implements LedgerEvent
    {
        public OperatorOrder
        {
            requireNonNull(tableUuid, "tableUuid is null");
            requireNonNull(by, "by is null");
            requireNonNull(reason, "reason is null");
            requireNonNull(at, "at is null");
        }
    }
}
