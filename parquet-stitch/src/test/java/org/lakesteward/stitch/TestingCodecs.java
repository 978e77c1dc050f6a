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
package org.lakesteward.stitch;

import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Codecs for parquet-mr that need neither Hadoop nor native libraries.
 */
final class TestingCodecs
        implements CompressionCodecFactory
{
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec)
    {
        return new BytesInputCompressor()
        {
            @Override
            public BytesInput compress(BytesInput input)
                    throws IOException
            {
                return BytesInput.from(TestingCodecs.compress(codec, input.toByteArray()));
            }

            @Override
            public CompressionCodecName getCodecName()
            {
                return codec;
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec)
    {
        return new BytesInputDecompressor()
        {
            @Override
            public BytesInput decompress(BytesInput input, int size)
                    throws IOException
            {
                return BytesInput.from(TestingCodecs.decompress(codec, input.toByteArray(), size));
            }

            @Override
            public void decompress(ByteBuffer input, int compressedSize, ByteBuffer output, int size)
                    throws IOException
            {
                byte[] bytes = new byte[compressedSize];
                input.get(bytes);
                output.put(TestingCodecs.decompress(codec, bytes, size));
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public void release() {}

    private static byte[] compress(CompressionCodecName codec, byte[] input)
            throws IOException
    {
        return switch (codec) {
            case UNCOMPRESSED -> input;
            case SNAPPY -> {
                SnappyJavaCompressor compressor = new SnappyJavaCompressor();
                byte[] output = new byte[compressor.maxCompressedLength(input.length)];
                yield Arrays.copyOf(output, compressor.compress(input, 0, input.length, output, 0, output.length));
            }
            case LZ4_RAW -> {
                Lz4JavaCompressor compressor = new Lz4JavaCompressor();
                byte[] output = new byte[compressor.maxCompressedLength(input.length)];
                yield Arrays.copyOf(output, compressor.compress(input, 0, input.length, output, 0, output.length));
            }
            case ZSTD -> {
                ZstdJavaCompressor compressor = new ZstdJavaCompressor();
                byte[] output = new byte[compressor.maxCompressedLength(input.length)];
                yield Arrays.copyOf(output, compressor.compress(input, 0, input.length, output, 0, output.length));
            }
            case GZIP -> {
                ByteArrayOutputStream output = new ByteArrayOutputStream();
                try (GZIPOutputStream stream = new GZIPOutputStream(output)) {
                    stream.write(input);
                }
                yield output.toByteArray();
            }
            default -> throw new UnsupportedOperationException(codec.name());
        };
    }

    private static byte[] decompress(CompressionCodecName codec, byte[] input, int size)
            throws IOException
    {
        byte[] output = new byte[size];
        int length = switch (codec) {
            case UNCOMPRESSED -> {
                output = input;
                yield input.length;
            }
            case SNAPPY -> new SnappyJavaDecompressor().decompress(input, 0, input.length, output, 0, size);
            case LZ4_RAW -> new Lz4JavaDecompressor().decompress(input, 0, input.length, output, 0, size);
            case ZSTD -> new ZstdJavaDecompressor().decompress(input, 0, input.length, output, 0, size);
            case GZIP -> {
                try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(input))) {
                    yield stream.readNBytes(output, 0, size);
                }
            }
            default -> throw new UnsupportedOperationException(codec.name());
        };
        if (length != size) {
            throw new IOException("a page of %s bytes is said to have %s".formatted(length, size));
        }
        return output;
    }
}
