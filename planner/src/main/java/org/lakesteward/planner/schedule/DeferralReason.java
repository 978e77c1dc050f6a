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
package org.lakesteward.planner.schedule;

/**
 * Why a demand is not placed now. When several reasons hold, the first of this order is named.
 */
public enum DeferralReason
{
    /** The metadata read so far does not tell whether there is a debt. */
    UNKNOWN_DEBT("not known: the snapshot summary does not tell, and the manifests were not read"),
    /** An entry of the policy is wrong. */
    INVALID_POLICY("the policy is invalid: {detail}"),
    /** The owner has not handed the table over. */
    NOT_OPTED_IN("the owner has not set maintenance.enabled"),
    /** The policy wants other kinds only. */
    KIND_NOT_WANTED("the policy does not ask for this kind"),
    /** The operator has not handed the table over. */
    NOT_GRANTED("the operator has not granted this kind on this table"),
    /** Trino cannot do it on this table. */
    TABLE_LIMIT("not possible: {detail}"),
    /** An operator said so. */
    SUSPENDED_BY_OPERATOR("suspended since {since} by {detail}"),
    /** It failed too often, or in a way that trying again does not mend. */
    SUSPENDED_BY_FAILURES("suspended since {since}, failures in a row: {failures}, the last was {detail}"),
    /** Maintenance pauses in a maintenance window. */
    MAINTENANCE_WINDOW("pauses while the maintenance window on {detail} is open, since {since}"),
    /** The catalog does not answer. */
    CATALOG_UNAVAILABLE("the catalog has not answered since {since}; it is asked again at {retry_at}"),
    /** Another run, or somebody else, holds the table's write turn. */
    WRITE_TURN_TAKEN("{detail} has the table's write turn"),
    /** A run has already seen this state of the table. */
    NOT_OBSERVED_SINCE_RUN("the run that ended at {ended_at} saw this state of the table; waits for a newer one"),
    /** The last run failed. */
    BACK_OFF("waits for back-off until {until}, failures in a row: {failures}, the last was {detail}"),
    /** The table is being committed to. */
    HOT("last committed to at {last_commit}, and a commit comes every {commit_interval}; waits until {until}"),
    /** Nobody could do it at all. */
    NO_EXECUTOR("no live executor serves the catalog and does this kind"),
    /** The kind yields to another one of the same table. */
    CONSECUTIVE_TURNS("had {turns} turns of this table in a row; {detail} goes first"),
    /** Too much was placed within the hour. */
    BUDGET("needs {needed}, and {left} of the hour's budget of {budget} are left"),
    /** Executors are busy with as many runs of the kind as they do at once. */
    SLOTS("all {slots} slots for this kind are taken"),
    /** Executors have too few bytes left. */
    BYTES("needs {needed}, and no executor with a free slot has more than {free} left"),
    /** Executors got as many placements as they may. */
    RATE_LIMIT("every executor with room for it has had its {limit} placements of this minute"),
    /** Room is kept for one that has waited too long. */
    OLDER_FIRST("room is kept for {detail}, which has waited too long");

    private final String sentence;

    DeferralReason(String sentence)
    {
        this.sentence = sentence;
    }

    /** Half a sentence with the names of its numbers in braces. */
    public String sentence()
    {
        return sentence;
    }
}
