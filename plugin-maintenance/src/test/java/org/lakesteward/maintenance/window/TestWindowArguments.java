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
package org.lakesteward.maintenance.window;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arguments that can be read; those that cannot are in {@code TestMaintenanceProcedures}.
 */
public class TestWindowArguments
{
    @DataProvider
    public Object[][] times()
    {
        return new Object[][] {
                // as a cast of a timestamp with time zone to varchar writes it
                {"2030-01-02 03:04:05.678 UTC", "2030-01-02T03:04:05.678Z"},
                {"2030-01-02 03:04:05 America/New_York", "2030-01-02T08:04:05Z"},
                {"2030-01-02 03:04:05 +05:30", "2030-01-01T21:34:05Z"},
                {"2030-01-02 03:04 UTC", "2030-01-02T03:04:00Z"},
                // as a cast of a timestamp writes it: of the session's zone
                {"2030-07-02 03:04:05", "2030-07-02T01:04:05Z"},
                // ISO 8601
                {"2030-01-02T03:04:05Z", "2030-01-02T03:04:05Z"},
                {"2030-01-02T03:04:05+01:00", "2030-01-02T02:04:05Z"},
                // cut to the millisecond
                {" 2030-01-02 03:04:05.678999 UTC ", "2030-01-02T03:04:05.678Z"},
        };
    }

    @Test(dataProvider = "times")
    public void testUntil(String text, String instant)
    {
        assertThat(WindowArguments.until(ZoneId.of("Europe/Berlin"), text)).contains(Instant.parse(instant));
    }

    @Test
    public void testNoUntil()
    {
        assertThat(WindowArguments.until(ZoneId.of("UTC"), null)).isEmpty();
    }

    @DataProvider
    public Object[][] durations()
    {
        return new Object[][] {
                {"0s", Duration.ZERO},
                {"200ms", Duration.ofMillis(200)},
                {"1.5h", Duration.ofMinutes(90)},
                {" 1d ", Duration.ofDays(1)},
                {"5.00m", Duration.ofMinutes(5)},
        };
    }

    @Test(dataProvider = "durations")
    public void testDurations(String text, Duration duration)
    {
        assertThat(WindowArguments.waitTimeout(text)).isEqualTo(duration);
    }
}
