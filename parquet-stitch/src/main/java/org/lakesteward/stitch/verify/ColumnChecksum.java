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
package org.lakesteward.stitch.verify;

import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;
import org.lakesteward.stitch.page.ChunkPages;
import org.lakesteward.stitch.page.PageContent;
import org.lakesteward.stitch.page.PageInfo;
import org.lakesteward.stitch.page.PageReader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What a column is made of: its repetition levels, definition levels and values, each a sequence, however they are encoded and
 * wherever pages end. Two columns of one schema are equal, row by row, if and only if these sequences are. Not safe for use by
 * several threads.
 */
public final class ColumnChecksum
{
    private final LeafColumn leaf;
    private final ValueHasher hasher;
    private final LevelSequence repetition;
    private final LevelSequence definition;
    private final SequenceHash values = new SequenceHash();
    private long valueCount;
    private long nonNullCount;
    private long rowCount;

    // of the column chunk that was added last
    private final List<Long> firstRows = new ArrayList<>();
    private long rowGroupStart;
    private long[] dictionary;

    public ColumnChecksum(LeafColumn leaf)
    {
        this.leaf = leaf;
        hasher = new ValueHasher(leaf);
        repetition = new LevelSequence(leaf.maxRepetitionLevel(), 0);
        definition = new LevelSequence(leaf.maxDefinitionLevel(), leaf.maxDefinitionLevel());
    }

    /**
     * @param count values, nulls included
     * @param nonNulls values without nulls
     * @param rows how often a new row begins
     * @param repetition hash of the repetition levels
     * @param definition hash of the definition levels
     * @param values hash of the values without nulls
     */
    public record Sum(long count, long nonNulls, long rows, long repetition, long definition, long values) {}

    /**
     * Goes on with a column chunk.
     *
     * @param window on the file
     * @throws CorruptParquetException when a page is not what it says
     */
    public void add(ChunkPages chunk, PageReader reader, InputWindow window, String file)
            throws IOException
    {
        begin(chunk, reader, window, file);
        for (PageInfo page : chunk.dataPages()) {
            add(page, chunk, reader, window, file);
        }
    }

    /**
     * Begins a column chunk, whose data pages must follow.
     */
    public void begin(ChunkPages chunk, PageReader reader, InputWindow window, String file)
            throws IOException
    {
        firstRows.clear();
        rowGroupStart = rowCount;
        dictionary = null;
        if (chunk.dictionary().isPresent()) {
            PageInfo page = chunk.dictionary().get();
            byte[] bytes = reader.readDictionary(page, chunk.codec(), window, file);
            try {
                dictionary = hasher.dictionary(bytes, page.uncompressedSize(), page.values());
            }
            catch (MalformedValuesException | RuntimeException e) {
                throw corrupt(page, file, e);
            }
        }
    }

    /**
     * Goes on with a data page of the column chunk that was begun last.
     */
    public void add(PageInfo page, ChunkPages chunk, PageReader reader, InputWindow window, String file)
            throws IOException
    {
        PageContent content = reader.readData(page, leaf, chunk.codec(), window, file);
        try {
            add(page, content);
        }
        catch (MalformedValuesException | RuntimeException e) {
            throw corrupt(page, file, e);
        }
    }

    private CorruptParquetException corrupt(PageInfo page, String file, Exception cause)
    {
        return new CorruptParquetException(file, "column %s: the page at byte %s cannot be decoded: %s".formatted(leaf.dottedPath(), page.position(), cause.getMessage()), cause);
    }

    private void add(PageInfo page, PageContent content)
            throws MalformedValuesException
    {
        int count = page.values();
        int pageNonNulls = count;
        int pageRows = count;
        if (!leaf.isFlat()) {
            repetition.add(content.bytes(), content.repetitionStart(), content.repetitionEnd(), count);
            pageRows = repetition.counted();
        }
        if (leaf.maxDefinitionLevel() > 0) {
            definition.add(content.bytes(), content.definitionStart(), content.definitionEnd(), count);
            pageNonNulls = definition.counted();
        }
        if (page.isVersion2() && (page.rows() != pageRows || page.nulls() != count - pageNonNulls)) {
            throw new MalformedValuesException("it is said to have %s rows and %s nulls, it has %s and %s".formatted(page.rows(), page.nulls(), pageRows, count - pageNonNulls));
        }
        hasher.add(page, content, pageNonNulls, dictionary, values);
        firstRows.add(rowCount - rowGroupStart);
        valueCount += count;
        nonNullCount += pageNonNulls;
        rowCount += pageRows;
    }

    /**
     * @param page number of a data page of the column chunk that was added last
     * @return the first row that begins in the page, of the row group
     */
    public long firstRow(int page)
    {
        return firstRows.get(page);
    }

    /**
     * Goes on with longs that no file has: {@code first}, {@code first + step} and so on.
     */
    public void addSequence(long first, long step, long count)
    {
        checkArgument(leaf.isFlat(), "column %s is repeated", leaf.dottedPath());
        if (leaf.maxDefinitionLevel() > 0) {
            definition.addRun(leaf.maxDefinitionLevel(), count);
        }
        if (step == 0) {
            values.addRun(SequenceHash.mix(first), count);
        }
        else {
            for (long index = 0; index < count; index++) {
                values.add(SequenceHash.mix(first + index * step));
            }
        }
        valueCount += count;
        nonNullCount += count;
        rowCount += count;
    }

    /**
     * @return rows that began so far
     */
    public long rowCount()
    {
        return rowCount;
    }

    public Sum sum()
    {
        return new Sum(valueCount, nonNullCount, rowCount, repetition.value(), definition.value(), values.value());
    }
}
