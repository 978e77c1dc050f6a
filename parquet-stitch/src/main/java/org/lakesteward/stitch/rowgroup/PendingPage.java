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
package org.lakesteward.stitch.rowgroup;

import org.apache.parquet.format.Encoding;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.levels.LevelRuns;
import org.lakesteward.stitch.levels.MalformedRunsException;
import org.lakesteward.stitch.levels.RunWriter;
import org.lakesteward.stitch.page.DeltaEncoder;
import org.lakesteward.stitch.page.PageContent;
import org.lakesteward.stitch.page.PageEncodings;
import org.lakesteward.stitch.page.PageWriter;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.statistics.BoundsUnion;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A data page that is being put together from the pages of inputs. Levels and indices keep their runs. Not safe for use by
 * several threads.
 */
final class PendingPage
{
    private static final int KEPT_CAPACITY = 16 << 10;

    private final LeafColumn leaf;
    private final LevelRuns levels = new LevelRuns();
    private final RunWriter repetition = new RunWriter();
    private final RunWriter definition = new RunWriter();
    private final RunWriter indices = new RunWriter();
    private final GrowableBytes plain = new GrowableBytes(0);
    private long[] lengths = new long[0];
    private int lengthCount;
    private int bitCount;
    private final GrowableBytes assembled = new GrowableBytes(0);
    private final BoundsUnion bounds;

    private boolean version2;
    private Encoding encoding;
    private int values;
    private int nonNulls;
    private int rows;
    private boolean checksum;
    private boolean incompressible;

    PendingPage(LeafColumn leaf)
    {
        this.leaf = leaf;
        bounds = new BoundsUnion(leaf.order());
        clear();
    }

    /**
     * Begins a page.
     *
     * @param indexWidth bits of a dictionary index; does not matter for other encodings
     */
    void begin(boolean version2, Encoding encoding, int indexWidth)
    {
        clear();
        this.version2 = version2;
        this.encoding = encoding;
        indices.reset(indexWidth, KEPT_CAPACITY);
    }

    void clear()
    {
        repetition.reset(leaf.repetitionBits(), KEPT_CAPACITY);
        definition.reset(leaf.definitionBits(), KEPT_CAPACITY);
        indices.reset(0, KEPT_CAPACITY);
        plain.clear(KEPT_CAPACITY);
        lengthCount = 0;
        bitCount = 0;
        assembled.clear(KEPT_CAPACITY);
        bounds.reset();
        values = 0;
        nonNulls = 0;
        rows = 0;
        checksum = false;
        incompressible = true;
    }

    boolean isEmpty()
    {
        return values == 0;
    }

    /**
     * Whether values of a page of this kind can follow.
     *
     * @param indexWidth bits of a dictionary index at least; 0 for other encodings
     */
    boolean fits(boolean otherVersion2, Encoding otherEncoding, int indexWidth)
    {
        return version2 == otherVersion2 && encoding == otherEncoding && indexWidth <= indices.width();
    }

    int values()
    {
        return values;
    }

    int rows()
    {
        return rows;
    }

    Encoding encoding()
    {
        return encoding;
    }

    boolean isVersion2()
    {
        return version2;
    }

    boolean hasChecksum()
    {
        return checksum;
    }

    /** Uncompressed bytes so far, about. */
    int size()
    {
        return repetition.size() + definition.size() + indices.size() + plain.size() + lengthCount;
    }

    /**
     * Takes over the levels of a whole page.
     *
     * @return how many values are no nulls
     */
    int appendLevels(PageContent content, int count)
            throws MalformedRunsException
    {
        int pageRows = count;
        int pageNonNulls = count;
        if (leaf.maxRepetitionLevel() > 0) {
            levels.append(content.bytes(), content.repetitionStart(), content.repetitionEnd(), leaf.maxRepetitionLevel(), count, 0, repetition);
            pageRows = levels.counted();
        }
        if (leaf.maxDefinitionLevel() > 0) {
            levels.append(content.bytes(), content.definitionStart(), content.definitionEnd(), leaf.maxDefinitionLevel(), count, leaf.maxDefinitionLevel(), definition);
            pageNonNulls = levels.counted();
        }
        values += count;
        rows += pageRows;
        nonNulls += pageNonNulls;
        return pageNonNulls;
    }

    /**
     * Takes over decoded levels.
     *
     * @param repetitionLevels empty for a column that is not repeated
     * @param definitionLevels empty for a column that is required all the way
     */
    void appendLevels(int[] repetitionLevels, int[] definitionLevels, int start, int end, int sliceRows, int sliceNonNulls)
    {
        if (leaf.maxRepetitionLevel() > 0) {
            repetition.write(repetitionLevels, start, end);
        }
        if (leaf.maxDefinitionLevel() > 0) {
            definition.write(definitionLevels, start, end);
        }
        values += end - start;
        rows += sliceRows;
        nonNulls += sliceNonNulls;
    }

    /** Notes what else is known of values that were just taken over. */
    void noteSource(int count, int sourceNonNulls, Bounds chunk, boolean sourceChecksum, boolean sourceIncompressible)
    {
        bounds.add(new Bounds(count, OptionalLong.of(count - sourceNonNulls), sourceNonNulls == 0 ? Optional.empty() : chunk.range()));
        checksum |= sourceChecksum;
        incompressible &= sourceIncompressible;
    }

    RunWriter indices()
    {
        return indices;
    }

    GrowableBytes plain()
    {
        return plain;
    }

    /** Takes over values in DELTA_LENGTH_BYTE_ARRAY encoding: lengths first, then bytes. */
    void appendLengths(long[] more, int count)
    {
        if (lengthCount + count > lengths.length) {
            lengths = Arrays.copyOf(lengths, Math.max(lengthCount + count, lengths.length * 2));
        }
        System.arraycopy(more, 0, lengths, lengthCount, count);
        lengthCount += count;
    }

    /** Takes over booleans in PLAIN encoding, which are bits, lowest first. */
    void appendBits(byte[] bytes, int start, int count)
    {
        plain.ensureRoom((bitCount + count + 7) / 8 - plain.size());
        byte[] output = plain.array();
        for (int index = 0; index < count; index++, bitCount++) {
            int bit = bytes[start + (index >>> 3)] >>> (index & 7) & 1;
            if ((bitCount & 7) == 0) {
                output[bitCount >>> 3] = 0;
            }
            output[bitCount >>> 3] |= (byte) (bit << (bitCount & 7));
        }
        plain.truncate((bitCount + 7) / 8);
    }

    /** What is known of the values. */
    Bounds bounds()
    {
        return bounds.result();
    }

    /**
     * Makes the page.
     *
     * @return its uncompressed size in bytes, without the header
     */
    int make(PageWriter writer)
            throws IOException
    {
        assembled.clear(KEPT_CAPACITY);
        int repetitionLength = writeLevels(leaf.maxRepetitionLevel(), repetition);
        int definitionLength = writeLevels(leaf.maxDefinitionLevel(), definition);
        if (PageEncodings.isDictionary(encoding)) {
            GrowableBytes runs = indices.finish();
            assembled.write(indices.width());
            assembled.write(runs.array(), 0, runs.size());
        }
        else {
            if (encoding == Encoding.DELTA_LENGTH_BYTE_ARRAY) {
                DeltaEncoder.write(lengths, lengthCount, assembled);
            }
            assembled.write(plain.array(), 0, plain.size());
        }
        if (version2) {
            writer.makeVersion2(assembled.array(), repetitionLength, definitionLength, assembled.size(), encoding, values, values - nonNulls, rows, incompressible, checksum);
        }
        else {
            writer.makeVersion1(assembled.array(), assembled.size(), encoding, values, incompressible, checksum);
        }
        return assembled.size();
    }

    private int writeLevels(int maxLevel, RunWriter runs)
    {
        if (maxLevel == 0) {
            return 0;
        }
        GrowableBytes bytes = runs.finish();
        if (!version2) {
            assembled.writeInt(bytes.size());
        }
        assembled.write(bytes.array(), 0, bytes.size());
        return bytes.size();
    }

    long retainedBytes()
    {
        return repetition.retainedBytes() + definition.retainedBytes() + indices.retainedBytes() + plain.array().length + assembled.array().length + (long) lengths.length * Long.BYTES;
    }
}
