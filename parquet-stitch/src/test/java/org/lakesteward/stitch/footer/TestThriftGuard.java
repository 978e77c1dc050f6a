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
package org.lakesteward.stitch.footer;

import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.ThriftGuard.MalformedThriftException;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestThriftGuard
{
    private static byte[] header()
            throws IOException
    {
        Statistics statistics = new Statistics().setNull_count(Long.MAX_VALUE);
        statistics.setMin_value(new byte[200]);
        PageHeader header = new PageHeader(PageType.DATA_PAGE, 1_000_000, -5);
        header.setData_page_header(new DataPageHeader(100, Encoding.PLAIN, Encoding.RLE, Encoding.RLE).setStatistics(statistics));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writePageHeader(header, bytes);
        return bytes.toByteArray();
    }

    @Test
    public void testLength()
            throws Exception
    {
        byte[] header = header();
        byte[] bytes = Arrays.copyOf(header, header.length + 50);
        assertThat(ThriftGuard.structLength(bytes, 0, bytes.length)).isEqualTo(header.length);
        for (int length = 0; length < header.length; length++) {
            assertThat(ThriftGuard.structLength(bytes, 0, length)).isEqualTo(ThriftGuard.INCOMPLETE);
        }
    }

    @Test
    public void testMalformed()
    {
        byte[] nested = new byte[1_000];
        Arrays.fill(nested, (byte) 0x1c);
        assertThatThrownBy(() -> ThriftGuard.structLength(nested, 0, nested.length))
                .isInstanceOf(MalformedThriftException.class)
                .hasMessage("it is nested deeper than 32 levels");
        byte[] lists = new byte[1_000];
        Arrays.fill(lists, (byte) 0x19);
        assertThatThrownBy(() -> ThriftGuard.structLength(lists, 0, lists.length)).isInstanceOf(MalformedThriftException.class);
        assertThatThrownBy(() -> ThriftGuard.structLength(new byte[] {0x1f, 0}, 0, 2)).isInstanceOf(MalformedThriftException.class).hasMessage("type 15 is not known");
        assertThatThrownBy(() -> ThriftGuard.structLength(new byte[] {0x15, -1, -1, -1, -1, -1, 0}, 0, 7))
                .isInstanceOf(MalformedThriftException.class)
                .hasMessage("a number takes more than 5 bytes");
    }

    @Test
    public void testAnyBytes()
    {
        Random random = new Random(20261130);
        int answered = 0;
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            try {
                assertThat(ThriftGuard.structLength(bytes, 0, bytes.length)).isBetween(-1, bytes.length);
                answered++;
            }
            catch (MalformedThriftException e) {
                assertThat(e.getMessage()).isNotEmpty();
                answered++;
            }
        }
        assertThat(answered).isEqualTo(20_000);
    }
}
