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
package org.lakesteward.planner.window;

import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.window.Windows.OPENED;
import static org.lakesteward.planner.window.Windows.window;

public class TestRefusalMessage
{
    private static final WindowScope ORDERS = WindowScope.parse("lake.sales.orders");

    @Test
    public void testWindow()
    {
        assertThat(new RefusalMessage(window("lake.sales")).text(ORDERS))
                .isEqualTo("CLUSTER_IN_MAINTENANCE: writes to lake.sales are closed for maintenance since 2026-11-30T10:00:00Z (restore), so lake.sales.orders cannot be changed now; reads work; retry after 30 seconds");
        assertThat(new RefusalMessage(window("cluster", Optional.of(Instant.parse("2026-11-30T12:00:00.5Z")))).text(ORDERS))
                .isEqualTo("CLUSTER_IN_MAINTENANCE: writes to the whole cluster are closed for maintenance since 2026-11-30T10:00:00Z (restore), so lake.sales.orders cannot be changed now; reads work; retry after 30 seconds, the window ends at 2026-11-30T12:00:00Z at the latest");
    }

    @Test
    public void testReasonStaysOnOneLine()
    {
        MaintenanceWindow window = new MaintenanceWindow("id", ORDERS, " restore\n\tof   Friday ", "alice", OPENED, Optional.empty(), Duration.ofMinutes(90), false, Optional.empty(), Optional.empty());
        assertThat(new RefusalMessage(window).text(ORDERS))
                .contains("(restore of Friday)")
                .endsWith("retry after 1 hour 30 minutes");
    }

    @Test
    public void testReasonBringsNothingUnseen()
    {
        MaintenanceWindow window = new MaintenanceWindow("id", ORDERS, "a\u001b[31mb\u202ec\u2028d\u0000e\u0085f", "alice", OPENED, Optional.empty(), Duration.ofMinutes(1), false, Optional.empty(), Optional.empty());
        assertThat(new RefusalMessage(window).text(ORDERS)).contains("(a [31mb c d e f)");
    }

    @Test
    public void testDoubt()
    {
        assertThat(RefusalMessage.ofDoubt(StoreCondition.NEVER_READ)).startsWith(RefusalMessage.TOKEN).contains("could not be read since this coordinator started");
        assertThat(RefusalMessage.ofDoubt(StoreCondition.TOO_STALE)).startsWith(RefusalMessage.TOKEN).contains("window.max-staleness");
        assertThatThrownBy(() -> RefusalMessage.ofDoubt(StoreCondition.KNOWN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void testWords()
    {
        assertThat(RefusalMessage.words(Duration.ZERO)).isEqualTo("0 seconds");
        assertThat(RefusalMessage.words(Duration.ofMillis(1))).isEqualTo("1 second");
        assertThat(RefusalMessage.words(Duration.ofSeconds(59))).isEqualTo("59 seconds");
        assertThat(RefusalMessage.words(Duration.ofMillis(59_001))).isEqualTo("1 minute");
        assertThat(RefusalMessage.words(Duration.ofSeconds(3661))).isEqualTo("1 hour 1 minute 1 second");
        assertThat(RefusalMessage.words(Duration.ofDays(2))).isEqualTo("2 days");
    }
}
