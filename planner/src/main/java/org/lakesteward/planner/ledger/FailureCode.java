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

import static org.lakesteward.planner.ledger.FailureCode.Blame.ATTEMPT;
import static org.lakesteward.planner.ledger.FailureCode.Blame.ELSEWHERE;
import static org.lakesteward.planner.ledger.FailureCode.Blame.REFUSAL;
import static org.lakesteward.planner.ledger.FailureCode.Blame.WRONG;

/**
 * Why a run failed. Whoever ran it tells by the code of the error, never by its text. The names are stable: they stand in the store and in SQL.
 */
public enum FailureCode
{
    /** Somebody else committed to what was being rewritten. */
    CONFLICT(ATTEMPT, 0),
    /** The catalog did not answer, or not in time. */
    CATALOG_UNAVAILABLE(ELSEWHERE, 2),
    /** The catalog or the storage refused the maintenance identity. */
    AUTHORIZATION(REFUSAL, 7),
    /** The owner has not handed the table over, or no longer. */
    NOT_OPTED_IN(REFUSAL, 7),
    /** The operator has not granted the table, or no longer. */
    NOT_GRANTED(REFUSAL, 7),
    /** Another table may own files in the same place, so that nothing may be deleted there. */
    SHARED_LOCATION(WRONG, 7),
    /** The run needed more memory than it may have. */
    OUT_OF_MEMORY(ATTEMPT, 4),
    /** Its progress stood still for the idle time. */
    STALLED(ATTEMPT, 4),
    /** It was cancelled, by a person or by a shutdown. */
    CANCELLED(ELSEWHERE, 4),
    /** Its executor vanished in the middle. */
    EXECUTOR_LOST(ATTEMPT, 1),
    /** Whether it committed is not known. */
    UNKNOWN_OUTCOME(ATTEMPT, 3),
    /** What was written did not agree with what was read; nothing was committed. */
    VERIFICATION_FAILED(WRONG, 7),
    /** A window was opened, and the table's maintenance pauses in it. */
    MAINTENANCE_WINDOW(ELSEWHERE, 0),
    /** Anything else. */
    INTERNAL(ATTEMPT, 0);

    /**
     * What a failure says about the table.
     */
    public enum Blame
    {
        /** It may be the table: after many failures in a row, its maintenance is suspended. */
        ATTEMPT,
        /** It is not the table: never suspended. */
        ELSEWHERE,
        /** Trying again does not help until somebody changes something: suspended at once, until the table or its policy changes. */
        REFUSAL,
        /** Something is wrong that a person must look at: suspended at once, until an operator resumes it or the policy changes. */
        WRONG,
    }

    private final Blame blame;
    private final int firstStep;

    FailureCode(Blame blame, int firstStep)
    {
        this.blame = blame;
        this.firstStep = firstStep;
    }

    public Blame blame()
    {
        return blame;
    }

    /** With which step of the back-off the first failure begins; the steps after the last one are like the last. */
    public int firstStep()
    {
        return firstStep;
    }
}
