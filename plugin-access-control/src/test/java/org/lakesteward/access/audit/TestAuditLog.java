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
package org.lakesteward.access.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Ticker;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

public class TestAuditLog
{
    private final List<String> lines = new ArrayList<>();
    private long nanos;

    @Test
    public void testRefusalsAreLimited()
            throws Exception
    {
        AuditLog audit = new AuditLog(lines::add, () -> Instant.EPOCH, new Ticker()
        {
            @Override
            public long read()
            {
                return nanos;
            }
        });
        refuse(audit, "q1");
        refuse(audit, "q2");
        nanos = 999_999_999;
        refuse(audit, "q3");
        assertThat(lines).hasSize(1);
        nanos = 1_000_000_000;
        refuse(audit, "q4 \"quoted\"\n");
        assertThat(lines).hasSize(2);

        JsonNode first = new ObjectMapper().readTree(lines.getFirst());
        assertThat(first.get("event").textValue()).isEqualTo("refuse_write");
        assertThat(first.get("time").textValue()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(first.get("coordinator").textValue()).isEqualTo("c1");
        assertThat(first.get("query_id").textValue()).isEqualTo("q1");
        assertThat(first.get("kind").textValue()).isEqualTo("INSERT");
        assertThat(first.get("target").textValue()).isEqualTo("lake.s.t");
        assertThat(first.get("left_out_before").intValue()).isZero();
        JsonNode second = new ObjectMapper().readTree(lines.getLast());
        assertThat(second.get("query_id").textValue()).isEqualTo("q4 \"quoted\"\n");
        assertThat(second.get("left_out_before").intValue()).isEqualTo(2);
        assertThat(lines.getLast()).doesNotContain("\n");
    }

    private static void refuse(AuditLog audit, String queryId)
    {
        audit.refused("c1", queryId, "alice", StatementKind.INSERT, WindowScope.table("lake", "s", "t"), "CLUSTER_IN_MAINTENANCE: …");
    }
}
