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

import com.google.common.collect.ImmutableSet;

import java.time.Instant;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.json.JsonFields.instant;
import static org.lakesteward.store.json.JsonFields.text;

/**
 * Who leads.
 *
 * @param candidateId as it was given to {@link LeaderElection}
 * @param electedAt by the leader's own clock
 */
public record LeaderRecord(String candidateId, Instant electedAt)
{
    static final RecordCodec<LeaderRecord> CODEC = new RecordCodec<>(
            "leader",
            1,
            ImmutableSet.of("candidate_id", "elected_at"),
            document -> new LeaderRecord(text(document, "candidate_id"), instant(document, "elected_at")),
            (leader, document) -> document
                    .put("candidate_id", leader.candidateId())
                    .put("elected_at", leader.electedAt().toString()));

    public LeaderRecord
    {
        requireNonNull(candidateId, "candidateId is null");
        requireNonNull(electedAt, "electedAt is null");
    }
}
