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
package org.lakesteward.planner.policy;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

public class TestDurationText
{
    @DataProvider
    public static Object[][] durations()
    {
        return new Object[][] {
                {"0s", Duration.ZERO},
                {"7d", Duration.ofDays(7)},
                {"7.00d", Duration.ofDays(7)},
                {"1.5h", Duration.ofMinutes(90)},
                {"15m", Duration.ofMinutes(15)},
                {"30s", Duration.ofSeconds(30)},
                {"250ms", Duration.ofMillis(250)},
                {"3us", Duration.ofNanos(3_000)},
                {"1.9ns", Duration.ofNanos(1)},
                {"36500d", Duration.ofDays(36_500)},
                {"9223372036854775807ns", Duration.ofNanos(Long.MAX_VALUE)},
        };
    }

    @Test(dataProvider = "durations")
    public void testParse(String text, Duration duration)
    {
        assertThat(DurationText.parse(text)).as(text).hasValue(duration);
    }

    @DataProvider
    public static Object[][] noDurations()
    {
        return new Object[][] {
                {""}, {"7"}, {"d"}, {"7D"}, {"7 d"}, {" 7d"}, {"7d "}, {"-7d"}, {"7w"}, {"7days"}, {"P7D"}, {"1d12h"}, {"1.d"}, {".5d"}, {"1e2s"}, {"7M"}, {"7d\n"},
                {"9223372036854775808ns"}, {"106752d"}, {"9999999999999999999d"}, {"10000000000000000000ns"},
        };
    }

    @Test(dataProvider = "noDurations")
    public void testNoDuration(String text)
    {
        assertThat(DurationText.parse(text)).as(text).isEmpty();
    }

    @Test
    public void testFormat()
    {
        assertThat(DurationText.format(Duration.ZERO)).isEqualTo("0s");
        assertThat(DurationText.format(Duration.ofDays(7))).isEqualTo("7d");
        assertThat(DurationText.format(Duration.ofHours(36))).isEqualTo("36h");
        assertThat(DurationText.format(Duration.ofMillis(1_500))).isEqualTo("1500ms");
    }

    @Test
    public void testParseReadsWhatFormatWrites()
    {
        Random random = new Random(6_012);
        for (int i = 0; i < 10_000; i++) {
            Duration duration = Duration.ofNanos(random.nextLong() >>> (1 + random.nextInt(62)));
            assertThat(DurationText.parse(DurationText.format(duration))).as("%s, run %s of seed 6012", duration, i).hasValue(duration);
        }
    }
}
