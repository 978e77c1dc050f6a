
package org.lakesteward.procedure.copy;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.memory.context.AggregatedMemoryContext;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * Builds one Parquet file out of row groups of others. Column chunks, column indexes and Bloom filters are copied byte for
 * byte; the footer and offset indexes are written anew, because they alone say where things are. Row groups come out in the
 * order in which they were appended, gaps between column chunks are closed, Bloom filters follow their row group, and page
 * indexes stand before the footer.
 * <p>
 * Whether a file may be copied is decided by {@link CopyCheck}; here a different schema is an argument error.
 * <p>
 * Use: {@link #append} each row group and {@link RowGroupCopy#step} it to its end, then {@link #finish}. After any exception
 * only {@link #abort} is allowed. Not thread-safe.
 */
public final class RowGroupCopier
{
    static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private static final int INSTANCE_SIZE = instanceSize(RowGroupCopier.class);
    /** Larger offsets and ordinals make the footer of a row group somewhat larger than its input's. */
    private static final int FOOTER_GROWTH_PER_COLUMN = 24;
    private static final int LINEAGE_FOOTER_BYTES = 256;
    private static final int OBJECT_BYTES_PER_FOOTER_BYTE = 8;

    private final TrinoFileSystem fileSystem;
    private final Location location;
    private final CopyOptions options;
    private final CopyInput reference;
    private final List<SchemaElement> columns;
    private final byte[] buffer;
    private final OutputStream output;
    private final List<CopiedRowGroup> rowGroups = new ArrayList<>();

    private State state = State.OPEN;
    private RowGroupCopy current;
    private CopyInput lastInput;
    private FooterMetadataPolicy.Common common;
    private long position;
    private long rowCount;
    private long copiedBytes;
    private long lineageBytes;
    private long estimatedFooterSize;
    private long pageIndexBytes;

    private RowGroupCopier(TrinoFileSystem fileSystem, Location location, CopyInput reference, CopyOptions options, OutputStream output)
            throws IOException
    {
        this.fileSystem = fileSystem;
        this.location = location;
        this.reference = reference;
        this.options = options;
        this.output = output;
        this.buffer = new byte[Math.toIntExact(options.maxStepSize().toBytes())];
        this.columns = reference.outputColumns();
        this.common = FooterMetadataPolicy.Common.of(reference);
        this.estimatedFooterSize = reference.footer().footerSize() - reference.footer().footerBytesPerRowGroup() * reference.footer().rowGroupCount() + LINEAGE_FOOTER_BYTES;
        write(MAGIC, 0, MAGIC.length);
    }

    /**
     * Opens the output.
     *
     * @param location of the output, which must not exist
     * @param reference the file whose schema the output has; usually the first one to be appended
     * @param memoryContext accounts for the output stream's own buffers
     * @throws IOException when storage fails; then nothing is left behind
     */
    public static RowGroupCopier create(TrinoFileSystem fileSystem, Location location, CopyInput reference, CopyOptions options, AggregatedMemoryContext memoryContext)
            throws IOException
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(location, "location is null");
        requireNonNull(reference, "reference is null");
        requireNonNull(options, "options is null");
        requireNonNull(memoryContext, "memoryContext is null");
        OutputStream output = fileSystem.newOutputFile(location).create(memoryContext);
        try {
            return new RowGroupCopier(fileSystem, location, reference, options, output);
        }
        catch (IOException | RuntimeException e) {
            discard(fileSystem, location, output, e);
            throw e;
        }
    }

    /**
     * Whether another row group fits: the format numbers 32,767 row groups, and readers refuse footers above the limit of
     * {@link CopyOptions#maxFooterSize()}. An output takes at least one row group.
     */
    public boolean hasRoomFor(CopyInput input, int rowGroup)
    {
        if (rowGroups.isEmpty()) {
            return true;
        }
        return rowGroups.size() < CopyCheck.MAX_ROW_GROUPS &&
                estimatedFooterSize + footerSizeOf(input) <= options.maxFooterSize().toBytes();
    }

    private static long footerSizeOf(CopyInput input)
    {
        return input.footer().footerBytesPerRowGroup() + (long) FOOTER_GROWTH_PER_COLUMN * input.footer().leaves().size() + LINEAGE_FOOTER_BYTES;
    }

    /**
     * Begins to copy a row group; nothing is read or written before the first {@link RowGroupCopy#step}.
     *
     * @param source the opened file; the caller closes it after the last step
     * @param input the file's footer and what its rows inherit; rows that inherit get columns for it
     * @param rowGroup index of the row group in the file
     * @throws IllegalArgumentException when the schema is not that of the output
     */
    public RowGroupCopy append(TrinoInput source, CopyInput input, int rowGroup)
    {
        requireNonNull(source, "source is null");
        requireNonNull(input, "input is null");
        checkState(state == State.OPEN, "copier is %s", state);
        checkState(current == null, "the row group before is not complete");
        checkArgument(rowGroup >= 0 && rowGroup < input.footer().rowGroupCount(), "rowGroup is %s, %s has %s", rowGroup, input.footer().location(), input.footer().rowGroupCount());
        checkArgument(!input.footer().isEncrypted(), "%s is encrypted", input.footer().location());
        checkState(rowGroups.size() < CopyCheck.MAX_ROW_GROUPS, "the output has %s row groups already", rowGroups.size());
        if (lastInput == null || lastInput.footer() != input.footer() || !lastInput.lineage().equals(input.lineage())) {
            checkArgument(
                    input.outputColumns().equals(columns),
                    "the schema of %s is not that of %s", input.footer().location(), reference.footer().location());
            common = common.with(input);
            lastInput = input;
        }
        current = new RowGroupCopy(this, source, input, rowGroup);
        return current;
    }

    /**
     * @return bytes written so far
     */
    public long writtenBytes()
    {
        return position;
    }

    /**
     * @return rows copied so far
     */
    public long rowCount()
    {
        return rowCount;
    }

    /**
     * @return memory held by this copier in bytes: the buffer, and footer entries and page indexes kept for the end; without
     *         the buffers of the output stream, which the memory context of {@link #create} sees
     */
    public long retainedBytes()
    {
        return INSTANCE_SIZE +
                sizeOf(buffer) +
                pageIndexBytes +
                estimatedFooterSize * OBJECT_BYTES_PER_FOOTER_BYTE +
                (current == null ? 0 : current.retainedBytes());
    }

    /**
     * Writes page indexes and footer and closes the file.
     *
     * @throws IOException when storage fails, or the footer came out larger than {@link CopyOptions#maxFooterSize()}
     */
    public CopiedFile finish()
            throws IOException
    {
        checkState(state == State.OPEN, "copier is %s", state);
        checkState(current == null, "the row group before is not complete");
        state = State.FAILED;
        writeColumnIndexes();
        writeOffsetIndexes();

        FileMetaData metadata = new FileMetaData(
                1,
                reference.outputSchema(),
                rowCount,
                rowGroups.stream().map(CopiedRowGroup::rowGroup).toList());
        common.applyTo(metadata);
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        if (footer.size() > options.maxFooterSize().toBytes()) {
            throw new IOException("The footer of %s would have %s bytes, the limit is %s bytes".formatted(location, footer.size(), options.maxFooterSize().toBytes()));
        }
        write(footer.toByteArray(), 0, footer.size());
        int length = footer.size();
        write(new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) (length >> 24)}, 0, Integer.BYTES);
        write(MAGIC, 0, MAGIC.length);
        output.close();
        state = State.FINISHED;
        return new CopiedFile(location, position, rowCount, footer.size(), metadata, SplitOffsets.of(metadata.getRow_groups(), options.minSplitDistance()), copiedBytes, lineageBytes);
    }

    private void writeColumnIndexes()
            throws IOException
    {
        for (CopiedRowGroup rowGroup : rowGroups) {
            for (int column = 0; column < rowGroup.columnIndexes().size(); column++) {
                byte[] index = rowGroup.columnIndexes().get(column);
                if (index.length > 0) {
                    ColumnChunk chunk = rowGroup.rowGroup().getColumns().get(column);
                    chunk.setColumn_index_offset(position);
                    chunk.setColumn_index_length(index.length);
                    write(index, 0, index.length);
                }
            }
        }
    }

    private void writeOffsetIndexes()
            throws IOException
    {
        for (CopiedRowGroup rowGroup : rowGroups) {
            for (int column = 0; column < rowGroup.offsetIndexes().size(); column++) {
                byte[] index = rowGroup.offsetIndexes().get(column);
                if (index.length > 0) {
                    ColumnChunk chunk = rowGroup.rowGroup().getColumns().get(column);
                    chunk.setOffset_index_offset(position);
                    chunk.setOffset_index_length(index.length);
                    write(index, 0, index.length);
                }
            }
        }
    }

    /**
     * Gives the file up: closes the output and deletes what storage may have of it. Does nothing after {@link #finish} or a
     * former call.
     *
     * @throws IOException when the file could not be deleted; it may then lie as an orphan
     */
    public void abort()
            throws IOException
    {
        if (state == State.FINISHED || state == State.ABORTED) {
            return;
        }
        state = State.ABORTED;
        current = null;
        rowGroups.clear();
        try {
            output.close();
        }
        catch (IOException | RuntimeException e) {
            // the file is given up anyway; whether it is gone is for the deletion to say
        }
        fileSystem.deleteFile(location);
    }

    private static void discard(TrinoFileSystem fileSystem, Location location, OutputStream output, Throwable cause)
    {
        try (output) {
            // closing is all there is to do before the deletion
        }
        catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
        try {
            fileSystem.deleteFile(location);
        }
        catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    byte[] buffer()
    {
        return buffer;
    }

    long position()
    {
        return position;
    }

    void write(byte[] bytes, int offset, int length)
            throws IOException
    {
        output.write(bytes, offset, length);
        position += length;
    }

    /** A step begins: any exception in it leaves the output unusable. */
    void beginStep(RowGroupCopy copy)
    {
        checkState(state == State.OPEN && current == copy, "copier is %s", state == State.OPEN ? "at another row group" : state);
        state = State.FAILED;
    }

    void endStep()
    {
        state = State.OPEN;
    }

    /** The last step is done. Row groups without rows leave no trace: readers ignore them, and they have no first page. */
    void complete(CopyInput input, CopiedRowGroup rowGroup)
    {
        current = null;
        copiedBytes += rowGroup.copiedBytes();
        lineageBytes += rowGroup.lineageBytes();
        if (rowGroup.rowGroup().getNum_rows() == 0) {
            return;
        }
        rowGroup.rowGroup().setOrdinal((short) rowGroups.size());
        rowGroups.add(rowGroup);
        rowCount = Math.addExact(rowCount, rowGroup.rowGroup().getNum_rows());
        pageIndexBytes += rowGroup.pageIndexBytes();
        estimatedFooterSize += footerSizeOf(input);
    }

    static byte[] serialize(OffsetIndex index)
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writeOffsetIndex(index, bytes);
        return bytes.toByteArray();
    }

    /**
     * A row group of the output.
     *
     * @param rowGroup with all offsets but those of page indexes
     * @param columnIndexes serialized, one per column, empty where there is none
     * @param offsetIndexes serialized, one per column, empty where there is none
     * @param copiedBytes bytes of column chunks that were copied
     * @param lineageBytes bytes of column chunks that were made
     */
    record CopiedRowGroup(RowGroup rowGroup, List<byte[]> columnIndexes, List<byte[]> offsetIndexes, long copiedBytes, long lineageBytes)
    {
        long pageIndexBytes()
        {
            long bytes = 0;
            for (int column = 0; column < columnIndexes.size(); column++) {
                bytes += sizeOf(columnIndexes.get(column)) + sizeOf(offsetIndexes.get(column));
            }
            return bytes;
        }
    }

    private enum State
    {
        OPEN,
        FAILED,
        FINISHED,
        ABORTED,
    }
}
