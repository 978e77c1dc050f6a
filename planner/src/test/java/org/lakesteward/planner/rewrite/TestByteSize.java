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
package org.lakesteward.planner.rewrite;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

public class TestByteSize
{
    @DataProvider
    public static Object[][] sizes()
    {
        return new Object[][] {
                {"0B", 0L},
                {"1B", 1L},
                {"1kB", 1L << 10},
                {"512MB", 512L << 20},
                {"1.5GB", 3L << 29},
                {"0.3kB", 307L},
                {"2TB", 2L << 40},
                {"8191PB", 8191L << 50},
                {"9223372036854775807B", Long.MAX_VALUE},
        };
    }

    @Test(dataProvider = "sizes")
    public void testParse(String text, long bytes)
    {
        assertThat(ByteSize.parse(text)).as(text).hasValue(bytes);
    }

    @DataProvider
    public static Object[][] noSizes()
    {
        return new Object[][] {
                {""}, {"512"}, {"MB"}, {"512mb"}, {"512KB"}, {"512 MB"}, {" 512MB"}, {"512MB "}, {"-1MB"}, {"+1MB"}, {".5MB"}, {"1.MB"}, {"1,5MB"},
                {"1e3MB"}, {"512MiB"}, {"0x1B"}, {"٣MB"}, {"512MB\n"},
                {"9223372036854775808B"}, {"8192PB"}, {"9999999999999999999PB"}, {"10000000000000000000B"},
        };
    }

    @Test(dataProvider = "noSizes")
    public void testNoSize(String text)
    {
        assertThat(ByteSize.parse(text)).as(text).isEmpty();
    }

    @Test
    public void testParseReadsWhatFormatWrites()
    {
        Random random = new Random(6_011);
        for (int i = 0; i < 10_000; i++) {
            long bytes = random.nextLong() >>> (1 + random.nextInt(62));
            bytes <<= random.nextInt(Long.numberOfLeadingZeros(bytes | 1));
            assertThat(ByteSize.parse(ByteSize.format(bytes))).as("%s, run %s of seed 6011", bytes, i).hasValue(bytes);
        }
    }
}
