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
package org.lakesteward.stitch.page;

import io.airlift.compress.v3.zstd.ZstdDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import org.apache.parquet.format.CompressionCodec;
import org.lakesteward.stitch.io.GrowableBytes;
import org.testng.annotations.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestCodec
{
    private static byte[] random(int size)
    {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    public void testRoundTrips()
            throws IOException
    {
        Codec codec = new Codec();
        for (CompressionCodec compression : Codec.supported()) {
            for (int size : new int[] {0, 1, 100, 8_191, 8_192, 131_072, 300_000}) {
                for (boolean incompressible : new boolean[] {false, true}) {
                    byte[] bytes = random(size);
                    GrowableBytes compressed = new GrowableBytes(0);
                    codec.compress(compression, bytes, 0, size, incompressible, compressed);
                    byte[] output = new byte[size + 16];
                    codec.decompress(compression, compressed.array(), 0, compressed.size(), output, 3, size);
                    assertThat(Arrays.copyOfRange(output, 3, size + 3)).as("%s of %s bytes", compression, size).isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    public void testRawFramesAreReadByEveryDecoder()
    {
        for (int size : new int[] {0, 1, 1_000, 128 << 10, (128 << 10) + 1, 1_000_000}) {
            byte[] bytes = random(size);
            GrowableBytes frame = new GrowableBytes(0);
            RawZstdFrame.write(bytes, 0, size, frame);
            byte[] output = new byte[size];
            assertThat(new ZstdJavaDecompressor().decompress(frame.array(), 0, frame.size(), output, 0, size)).isEqualTo(size);
            assertThat(output).isEqualTo(bytes);
            Arrays.fill(output, (byte) 0);
            assertThat(ZstdDecompressor.create().decompress(frame.array(), 0, frame.size(), output, 0, size)).isEqualTo(size);
            assertThat(output).isEqualTo(bytes);
        }
    }

    @Test
    public void testOtherSizes()
            throws IOException
    {
        Codec codec = new Codec();
        byte[] bytes = new byte[1_000];
        for (CompressionCodec compression : Codec.supported()) {
            GrowableBytes compressed = new GrowableBytes(0);
            codec.compress(compression, bytes, 0, bytes.length, false, compressed);
            for (int size : new int[] {999, 1_001, 50_000}) {
                assertThatThrownBy(() -> codec.decompress(compression, compressed.array(), 0, compressed.size(), new byte[60_000], 0, size))
                        .as("%s as %s bytes", compression, size)
                        .isInstanceOfAny(IOException.class, RuntimeException.class);
            }
        }
        assertThatThrownBy(() -> codec.decompress(CompressionCodec.LZO, bytes, 0, 10, bytes, 0, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("codec LZO is not supported");
    }
}
