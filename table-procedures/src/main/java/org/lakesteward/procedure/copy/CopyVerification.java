
package org.lakesteward.procedure.copy;

import io.airlift.units.DataSize;
import io.trino.filesystem.TrinoInput;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Checks of a copied file before anyone commits it. They cost nothing beside the copy: footers only, no data is read.
 * Pure but for {@link #verifyStored}; thread-safe.
 */
public final class CopyVerification
{
    private CopyVerification() {}

    /**
     * A file whose row groups were all copied.
     *
     * @param footer the file's footer
     * @param recordCount what its manifest entry says
     */
    public record Source(ParquetFooter footer, long recordCount)
    {
        public Source
        {
            requireNonNull(footer, "footer is null");
        }
    }

    /**
     * Checks that the output has the rows that the manifests promise, that each of its row groups is one of the inputs' in
     * the inputs' order with the same rows, values and bytes in each column, and that all of it lies inside the file.
     *
     * @param sources the inputs in the order in which they were copied
     * @throws CopyVerificationException when anything differs, with both numbers
     */
    public static void verify(CopiedFile file, List<Source> sources)
            throws CopyVerificationException
    {
        long expectedRows = 0;
        List<SourceRowGroup> expected = new ArrayList<>();
        for (Source source : sources) {
            if (source.footer().rowCount() != source.recordCount()) {
                throw new CopyVerificationException("%s has %s rows by its footer and %s by its manifest".formatted(source.footer().location(), source.footer().rowCount(), source.recordCount()));
            }
            expectedRows += source.recordCount();
            for (RowGroup rowGroup : source.footer().metadata().getRow_groups()) {
                if (rowGroup.getNum_rows() > 0) {
                    expected.add(new SourceRowGroup(source, rowGroup));
                }
            }
        }
        if (file.rowCount() != expectedRows || file.metadata().getNum_rows() != expectedRows) {
            throw new CopyVerificationException("%s has %s rows (%s by its footer), its inputs have %s".formatted(file.location(), file.rowCount(), file.metadata().getNum_rows(), expectedRows));
        }
        verifyRowGroups(file, expected);
        try {
            ParquetFooter.of(file.location(), file.size(), file.footerSize(), file.metadata());
        }
        catch (CorruptParquetException e) {
            throw new CopyVerificationException(e.getMessage(), e);
        }
    }

    private static void verifyRowGroups(CopiedFile file, List<SourceRowGroup> expected)
            throws CopyVerificationException
    {
        List<RowGroup> rowGroups = file.metadata().getRow_groups();
        if (rowGroups.size() != expected.size()) {
            throw new CopyVerificationException("%s has %s row groups, its inputs have %s".formatted(file.location(), rowGroups.size(), expected.size()));
        }
        long copied = 0;
        long made = 0;
        for (int index = 0; index < rowGroups.size(); index++) {
            RowGroup actual = rowGroups.get(index);
            RowGroup source = expected.get(index).rowGroup();
            boolean same = actual.getNum_rows() == source.getNum_rows() &&
                    (actual.getColumnsSize() == source.getColumnsSize() || actual.getColumnsSize() == source.getColumnsSize() + 2);
            for (int column = 0; same && column < actual.getColumnsSize(); column++) {
                ColumnMetaData actualColumn = actual.getColumns().get(column).getMeta_data();
                if (column >= source.getColumnsSize()) {
                    made += actualColumn.getTotal_compressed_size();
                    same = actualColumn.getNum_values() == actual.getNum_rows();
                    continue;
                }
                ColumnMetaData sourceColumn = source.getColumns().get(column).getMeta_data();
                copied += actualColumn.getTotal_compressed_size();
                same = actualColumn.getPath_in_schema().equals(sourceColumn.getPath_in_schema()) &&
                        actualColumn.getNum_values() == sourceColumn.getNum_values() &&
                        actualColumn.getTotal_compressed_size() == sourceColumn.getTotal_compressed_size() &&
                        actualColumn.getTotal_uncompressed_size() == sourceColumn.getTotal_uncompressed_size();
            }
            if (!same) {
                throw new CopyVerificationException("row group %s of %s is not the one of %s that it should be: %s rows instead of %s, or other columns".formatted(
                        index, file.location(), expected.get(index).source().footer().location(), actual.getNum_rows(), source.getNum_rows()));
            }
        }
        if (copied != file.copiedBytes() || made != file.lineageBytes()) {
            throw new CopyVerificationException("%s has %s + %s bytes of column chunks by its footer, %s + %s were written".formatted(file.location(), copied, made, file.copiedBytes(), file.lineageBytes()));
        }
    }

    /**
     * Reads the footer back from storage, which also shows that the file has its size.
     *
     * @param input the stored file
     * @throws CopyVerificationException when storage has another file than was written
     * @throws IOException when storage fails
     */
    public static void verifyStored(CopiedFile file, TrinoInput input)
            throws CopyVerificationException, IOException
    {
        ParquetFooter stored;
        try {
            stored = ParquetFooter.read(input, file.location(), file.size(), DataSize.ofBytes(file.footerSize()));
        }
        catch (CorruptParquetException | UnsupportedParquetException e) {
            throw new CopyVerificationException(e.getMessage(), e);
        }
        if (!stored.metadata().equals(file.metadata())) {
            throw new CopyVerificationException("%s has another footer than was written to it".formatted(file.location()));
        }
    }

    private record SourceRowGroup(Source source, RowGroup rowGroup) {}
}
