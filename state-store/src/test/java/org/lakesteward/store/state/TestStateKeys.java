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

import org.testng.annotations.Test;

import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

public class TestStateKeys
{
    @Test
    public void testKeys()
    {
        UUID table = UUID.fromString("11111111-2222-3333-4444-555555555555");
        assertThat(StateKeys.demand(table)).isEqualTo("demand/11111111-2222-3333-4444-555555555555");
        assertThat(StateKeys.lock(table)).isEqualTo("locks/11111111-2222-3333-4444-555555555555");
        assertThat(StateKeys.owner(table)).isEqualTo("owners/11111111-2222-3333-4444-555555555555");
        assertThat(StateKeys.ledger(table, "20261130_1")).isEqualTo("ledger/11111111-2222-3333-4444-555555555555/20261130_1").startsWith(StateKeys.ledger(table));
        assertThat(StateKeys.executor("Zürich/1 a")).isEqualTo("executors/Z%C3%BCrich%2F1+a");
        assertThat(StoreLimits.checkKey(StateKeys.executor("Zürich/1\na"))).startsWith(StateKeys.EXECUTORS);
        assertThat(StateKeys.assignment("a/b")).isEqualTo("assignments/a%2Fb");
    }
}
