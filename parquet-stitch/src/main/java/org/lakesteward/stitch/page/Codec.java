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

import com.google.common.collect.ImmutableSet;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4Compressor;
import io.airlift.compress.v3.lz4.Lz4Decompressor;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import org.apache.parquet.format.CompressionCodec;
import org.lakesteward.stitch.io.GrowableBytes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses and decompresses pages (Compression.md). Not safe for use by several threads: the codecs keep state.
 */
public final class Codec
{
    private static final Set<CompressionCodec> SUPPORTED = ImmutableSet.of(
            CompressionCodec.UNCOMPRESSED,
            CompressionCodec.SNAPPY,
            CompressionCodec.GZIP,
            CompressionCodec.ZSTD,
            CompressionCodec.LZ4_RAW);

    /** Below this size a call of the native decoder costs more than the Java decoder takes. */
    private static final int SMALL_ZSTD_PAGE = 8 << 10;

    private final Compressor snappyCompressor = SnappyCompressor.create();
    private final Decompressor snappyDecompressor = SnappyDecompressor.create();
    private final Compressor lz4Compressor = Lz4Compressor.create();
    private final Decompressor lz4Decompressor = Lz4Decompressor.create();
    private final Compressor zstdCompressor = ZstdCompressor.create();
    private final Decompressor zstdDecompressor = ZstdDecompressor.create();
    private final Decompressor smallZstdDecompressor = new ZstdJavaDecompressor();

    /**
     * Whether pages in this codec can be read and written. Missing are LZO, Brotli, and LZ4 in the framing of Hadoop, of which
     * several incompatible forms are about.
     */
    public static boolean isSupported(CompressionCodec codec)
    {
        return codec != null && SUPPORTED.contains(codec);
    }

    public static Set<CompressionCodec> supported()
    {
        return SUPPORTED;
    }

    /**
     * @param size that the result must have
     * @throws IOException when the input is not what the codec would have made of a page of this size
     * @throws RuntimeException for the same reason, by some codecs
     */
    public void decompress(CompressionCodec codec, byte[] input, int offset, int length, byte[] output, int outputOffset, int size)
            throws IOException
    {
        if (length == 0 && size == 0) {
            return;
        }
        int actual = switch (codec) {
            case UNCOMPRESSED -> {
                if (length == size) {
                    System.arraycopy(input, offset, output, outputOffset, length);
                }
                yield length;
            }
            case SNAPPY -> snappyDecompressor.decompress(input, offset, length, output, outputOffset, size);
            case LZ4_RAW -> lz4Decompressor.decompress(input, offset, length, output, outputOffset, size);
            case ZSTD -> (size < SMALL_ZSTD_PAGE ? smallZstdDecompressor : zstdDecompressor).decompress(input, offset, length, output, outputOffset, size);
            case GZIP -> {
                try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(input, offset, length))) {
                    int read = stream.readNBytes(output, outputOffset, size);
                    yield stream.read() < 0 ? read : size + 1;
                }
            }
            case LZ4, LZO, BROTLI -> throw new IllegalArgumentException("codec %s is not supported".formatted(codec));
        };
        if (actual != size) {
            throw new IOException("a page of %s bytes is said to have %s".formatted(actual, size));
        }
    }

    /**
     * Appends a compressed page.
     *
     * @param incompressible whether compressing is known to gain nothing; then it is not tried where the codec has a way around
     */
    public void compress(CompressionCodec codec, byte[] input, int offset, int length, boolean incompressible, GrowableBytes output)
            throws IOException
    {
        switch (codec) {
            case UNCOMPRESSED -> output.write(input, offset, length);
            case SNAPPY -> compress(snappyCompressor, input, offset, length, output);
            case LZ4_RAW -> compress(lz4Compressor, input, offset, length, output);
            case ZSTD -> {
                if (incompressible) {
                    RawZstdFrame.write(input, offset, length, output);
                }
                else {
                    compress(zstdCompressor, input, offset, length, output);
                }
            }
            case GZIP -> {
                try (GZIPOutputStream stream = new GZIPOutputStream(output)) {
                    stream.write(input, offset, length);
                }
            }
            case LZ4, LZO, BROTLI -> throw new IllegalArgumentException("codec %s is not supported".formatted(codec));
        }
    }

    private static void compress(Compressor compressor, byte[] input, int offset, int length, GrowableBytes output)
    {
        int room = compressor.maxCompressedLength(length);
        output.ensureRoom(room);
        output.advance(compressor.compress(input, offset, length, output.array(), output.size(), room));
    }
}
