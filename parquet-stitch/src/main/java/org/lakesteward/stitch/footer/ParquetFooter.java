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

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.lakesteward.stitch.io.CorruptParquetException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A footer that is consistent with itself and with the size of its file: row counts add up, every column chunk is inside of the
 * file, has the schema's name and type and overlaps no other one. Immutable, provided that nobody modifies {@link #metadata()}.
 */
public final class ParquetFooter
{
    static final int MAGIC_SIZE = 4;
    static final int TRAILER_SIZE = 8;

    /** What the generated classes take for each byte of a footer, measured on wide tables. */
    private static final int OBJECT_BYTES_PER_FOOTER_BYTE = 8;

    private final String file;
    private final long fileSize;
    private final int size;
    private final FileMetaData metadata;
    private final List<LeafColumn> leaves;
    private final boolean encrypted;

    /**
     * @param file what messages call the file
     * @param fileSize in bytes
     * @param size of the serialized footer in bytes, without length and magic
     * @throws CorruptParquetException when the footer is no footer of such a file
     */
    public ParquetFooter(String file, long fileSize, int size, FileMetaData metadata)
            throws CorruptParquetException
    {
        this.file = requireNonNull(file, "file is null");
        this.fileSize = fileSize;
        this.size = size;
        this.metadata = requireNonNull(metadata, "metadata is null");
        leaves = SchemaLeaves.of(file, metadata.getSchema());
        encrypted = metadata.isSetEncryption_algorithm() || metadata.getRow_groups().stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .anyMatch(chunk -> chunk.isSetCrypto_metadata() || chunk.isSetEncrypted_column_metadata());
        checkRowCounts();
        if (!encrypted) {
            checkRowGroups();
        }
    }

    private void checkRowCounts()
            throws CorruptParquetException
    {
        long rows = 0;
        for (RowGroup rowGroup : metadata.getRow_groups()) {
            check(rowGroup.getNum_rows() >= 0 && rows <= Long.MAX_VALUE - rowGroup.getNum_rows(), "a row group has %s rows".formatted(rowGroup.getNum_rows()));
            rows += rowGroup.getNum_rows();
        }
        check(rows == metadata.getNum_rows(), "its row groups have %s rows, its footer says %s".formatted(rows, metadata.getNum_rows()));
    }

    private void checkRowGroups()
            throws CorruptParquetException
    {
        List<ByteRange> chunks = new ArrayList<>();
        for (int index = 0; index < metadata.getRow_groupsSize(); index++) {
            RowGroup rowGroup = metadata.getRow_groups().get(index);
            check(rowGroup.getColumnsSize() == leaves.size(), "row group %s has %s column chunks for the %s columns of its schema".formatted(index, rowGroup.getColumnsSize(), leaves.size()));
            for (LeafColumn leaf : leaves) {
                checkChunk("column %s of row group %s".formatted(leaf.dottedPath(), index), rowGroup, leaf);
                ByteRange range = ByteRange.of(rowGroup.getColumns().get(leaf.index()).getMeta_data());
                if (range.length() > 0) {
                    chunks.add(range);
                }
            }
        }
        chunks.sort(Comparator.comparingLong(ByteRange::start));
        for (int index = 1; index < chunks.size(); index++) {
            check(chunks.get(index - 1).end() <= chunks.get(index).start(), "column chunks overlap at byte %s".formatted(chunks.get(index).start()));
        }
    }

    private void checkChunk(String where, RowGroup rowGroup, LeafColumn leaf)
            throws CorruptParquetException
    {
        ColumnChunk chunk = rowGroup.getColumns().get(leaf.index());
        check(chunk.isSetMeta_data(), "%s has no metadata".formatted(where));
        check(!chunk.isSetFile_path() || chunk.getFile_path().isEmpty(), "%s lies in another file, %s".formatted(where, chunk.getFile_path()));
        ColumnMetaData column = chunk.getMeta_data();
        check(column.getPath_in_schema().equals(leaf.path()), "%s is called %s by its column chunk".formatted(where, String.join(".", column.getPath_in_schema())));
        check(column.getType() == leaf.type(), "%s is %s in the schema and %s in its column chunk".formatted(where, leaf.type(), column.getType()));
        check(column.isSetCodec(), "%s has a codec that is not known".formatted(where));
        check(
                leaf.isFlat() ? column.getNum_values() == rowGroup.getNum_rows() : column.getNum_values() >= rowGroup.getNum_rows(),
                "%s has %s values in %s rows".formatted(where, column.getNum_values(), rowGroup.getNum_rows()));
        check(column.getTotal_compressed_size() >= 0 && column.getTotal_uncompressed_size() >= 0, "%s has a negative size".formatted(where));
        check(column.getTotal_compressed_size() > 0 || rowGroup.getNum_rows() == 0, "%s has %s rows in no bytes".formatted(where, rowGroup.getNum_rows()));
        if (column.getTotal_compressed_size() == 0) {
            return;
        }
        ByteRange range = ByteRange.of(column);
        long dataEnd = fileSize - TRAILER_SIZE - size;
        check(
                range.start() >= MAGIC_SIZE && range.start() <= dataEnd && range.length() <= dataEnd - range.start(),
                "%s takes %s bytes from byte %s, outside of bytes %s to %s".formatted(where, range.length(), range.start(), MAGIC_SIZE, dataEnd));
        check(range.contains(column.getData_page_offset()), "the first data page of %s is at byte %s, outside of its column chunk".formatted(where, column.getData_page_offset()));
    }

    private void check(boolean condition, String problem)
            throws CorruptParquetException
    {
        if (!condition) {
            throw new CorruptParquetException(file, problem);
        }
    }

    /**
     * @return what messages call the file
     */
    public String file()
    {
        return file;
    }

    /**
     * @return size of the file in bytes
     */
    public long fileSize()
    {
        return fileSize;
    }

    /**
     * @return the footer itself, not to be modified
     */
    public FileMetaData metadata()
    {
        return metadata;
    }

    /**
     * @return the columns that have values, in the order of column chunks
     */
    public List<LeafColumn> leaves()
    {
        return leaves;
    }

    public List<RowGroup> rowGroups()
    {
        return metadata.getRow_groups();
    }

    public long rowCount()
    {
        return metadata.getNum_rows();
    }

    /**
     * @return whether columns are encrypted although the footer is not; then column chunks are not checked
     */
    public boolean isEncrypted()
    {
        return encrypted;
    }

    /**
     * @return bytes of all column chunks as they lie in the file; 0 for an encrypted file, which may hide them
     */
    public long compressedSize()
    {
        if (encrypted) {
            return 0;
        }
        return rowGroups().stream().mapToLong(ParquetFooter::compressedSize).sum();
    }

    /**
     * @return bytes of a row group's column chunks as they lie in the file
     */
    public static long compressedSize(RowGroup rowGroup)
    {
        return rowGroup.getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_compressed_size()).sum();
    }

    /**
     * @return an estimate of the memory that this footer holds, in bytes
     */
    public long retainedBytes()
    {
        return (long) size * OBJECT_BYTES_PER_FOOTER_BYTE;
    }

    /**
     * The leaves of a schema that belongs to no file yet.
     *
     * @throws IllegalArgumentException when it is no schema
     */
    public static List<LeafColumn> leavesOf(List<SchemaElement> schema)
    {
        try {
            return SchemaLeaves.of("of the target", ImmutableList.copyOf(schema));
        }
        catch (CorruptParquetException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
