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
package org.lakesteward.planner.health;

import org.testng.annotations.Test;

import java.time.Duration;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestHealthThresholds
{
    @Test
    public void testDefaults()
    {
        HealthThresholds defaults = HealthThresholds.defaults();
        assertThat(defaults).isEqualTo(new HealthThresholds(
                5,
                0.75,
                new Level(5, 160),
                new Level(5, 160),
                new Level(0.1, 1),
                new Level(1, 32),
                new Level(0.1, 0.5),
                new Level(100, 1_000),
                0.5,
                Duration.ofDays(7),
                Duration.ofDays(28),
                new Level(8_388_608, 67_108_864),
                1_000,
                100,
                new Level(0.1, Double.POSITIVE_INFINITY),
                10_000,
                new Level(0.1, Double.POSITIVE_INFINITY),
                Level.neverCritical(2)));
    }

    @Test
    public void testSnapshotAge()
    {
        HealthThresholds changed = HealthThresholds.defaults().withSnapshotMaxAge(Duration.ofDays(2));
        assertThat(changed.snapshotMaxAge()).isEqualTo(Duration.ofDays(2));
        assertThat(changed.snapshotCriticalAge()).isEqualTo(Duration.ofDays(8));
        assertThat(changed.withSnapshotMaxAge(Duration.ofDays(7))).isEqualTo(HealthThresholds.defaults());
        assertThatThrownBy(() -> changed.withSnapshotMaxAge(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("snapshotMaxAge is PT0S: it must be at least 1 ms");
    }

    @Test
    public void testLevel()
    {
        Level level = new Level(5, 160);
        assertThat(level.severity(4.999)).isEmpty();
        assertThat(level.severity(5)).contains(Severity.WARNING);
        assertThat(level.severity(159.9)).contains(Severity.WARNING);
        assertThat(level.severity(160)).contains(Severity.CRITICAL);
        assertThat(Level.neverCritical(0.1).severity(Double.MAX_VALUE)).contains(Severity.WARNING);
        assertThatThrownBy(() -> new Level(0, 1)).hasMessage("warning level is 0.0: it must be a finite number above 0");
        assertThatThrownBy(() -> new Level(Double.NaN, 1)).hasMessage("warning level is NaN: it must be a finite number above 0");
        assertThatThrownBy(() -> new Level(2, 1)).hasMessage("critical level is 1.0: it must be at least the warning level, 2.0");
        assertThatThrownBy(() -> new Level(2, Double.NaN)).hasMessage("critical level is NaN: it must be at least the warning level, 2.0");
    }

    @Test
    public void testImpossibleObservationsAreRefused()
    {
        assertThatThrownBy(() -> new SnapshotHistory(-1, null, null)).hasMessage("snapshots is -1: it must not be negative");
        assertThatThrownBy(() -> new StatisticsState(false, OptionalLong.of(1), OptionalLong.empty())).hasMessage("statistics that are absent cannot lag behind");
        assertThatThrownBy(() -> new ManifestTotals(0, 0, 0, 0, 0)).hasMessage("targetBytes is 0: it must be above 0");
        assertThatThrownBy(() -> ObservationText.parse("target=0")).hasMessage("targetFileBytes is 0: it must be above 0");
        assertThatThrownBy(() -> ObservationText.parse("version=0")).hasMessage("formatVersion is 0: it must be at least 1");
    }
}
