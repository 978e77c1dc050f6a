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
package org.lakesteward.stitch.bloom;

import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;
import org.lakesteward.stitch.io.GrowableBytes;

import java.io.IOException;
import java.util.Optional;

/**
 * Unites the Bloom filters of chunks: of split-block filters of one size, the bitwise OR is the filter of all values. There is
 * none if a chunk has none or one of another size, or if the result would let nearly everything through. Not safe for use by
 * several threads.
 */
public final class BloomFilterUnion
{
    /** A filter that says "maybe" more often than this costs more than it saves. */
    private static final double MAX_FALSE_POSITIVES = 0.25;
    private static final int WORDS_PER_BLOCK = 8;

    private boolean open = true;
    private byte[] bits;

    /**
     * @return whether a filter of the next chunk could still matter
     */
    public boolean isOpen()
    {
        return open;
    }

    /**
     * @param filter of the next chunk; empty when it has none
     */
    public void add(Optional<byte[]> filter)
    {
        if (!open) {
            return;
        }
        if (filter.isEmpty() || bits != null && bits.length != filter.get().length) {
            open = false;
            bits = null;
            return;
        }
        if (bits == null) {
            bits = filter.get().clone();
            return;
        }
        byte[] other = filter.get();
        for (int index = 0; index < bits.length; index++) {
            bits[index] |= other[index];
        }
    }

    /**
     * @return header and bits as they lie in a file; empty when there is no filter
     */
    public Optional<byte[]> serialize()
            throws IOException
    {
        if (!open || bits == null || falsePositives() > MAX_FALSE_POSITIVES) {
            return Optional.empty();
        }
        GrowableBytes output = new GrowableBytes(bits.length + 64);
        Util.writeBloomFilterHeader(
                new BloomFilterHeader(
                        bits.length,
                        BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
                        BloomFilterHash.XXHASH(new XxHash()),
                        BloomFilterCompression.UNCOMPRESSED(new Uncompressed())),
                output);
        output.write(bits, 0, bits.length);
        return Optional.of(output.toByteArray());
    }

    /** A value sets one bit in each of the eight words of its block. */
    private double falsePositives()
    {
        double sum = 0;
        for (int block = 0; block < bits.length; block += BloomFilterReader.BLOCK_SIZE) {
            double product = 1;
            for (int word = 0; word < WORDS_PER_BLOCK; word++) {
                int set = 0;
                for (int index = 0; index < Integer.BYTES; index++) {
                    set += Integer.bitCount(bits[block + word * Integer.BYTES + index] & 0xff);
                }
                product *= set / (double) Integer.SIZE;
            }
            sum += product;
        }
        return sum / (bits.length / BloomFilterReader.BLOCK_SIZE);
    }

    public void reset()
    {
        open = true;
        bits = null;
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return bits == null ? 0 : bits.length;
    }
}
