
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.Location;
import io.trino.parquet.ParquetCorruptionException;
import io.trino.parquet.ParquetDataSourceId;
import io.trino.parquet.metadata.ParquetMetadata;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.parquet.format.FileMetaData;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A file that {@link RowGroupCopier} made. Immutable as long as nobody modifies its metadata.
 *
 * @param location where it is
 * @param size in bytes
 * @param rowCount number of rows
 * @param footerSize size of the serialized footer in bytes
 * @param metadata its footer, not to be modified
 * @param splitOffsets what its manifest entry shall say about splits, ascending; empty for a file without rows
 * @param copiedBytes bytes of column chunks that came from the inputs
 * @param lineageBytes bytes of row-lineage column chunks that were made
 */
public record CopiedFile(Location location, long size, long rowCount, int footerSize, FileMetaData metadata, List<Long> splitOffsets, long copiedBytes, long lineageBytes)
{
    public CopiedFile
    {
        requireNonNull(location, "location is null");
        requireNonNull(metadata, "metadata is null");
        splitOffsets = ImmutableList.copyOf(splitOffsets);
    }

    /**
     * @return the footer as Trino's reader has it
     */
    public ParquetMetadata parquetMetadata()
            throws ParquetCorruptionException
    {
        return new ParquetMetadata(metadata, new ParquetDataSourceId(location.toString()), Optional.empty());
    }

    /**
     * The metrics that the stock Parquet writer reports for such a file: those of the footer under Iceberg's default
     * configuration, whatever the table's {@code write.metadata.metrics.*} say (IcebergFileWriterFactory.createDataFileWriter).
     *
     * @throws IOException when the footer cannot be understood
     */
    public Metrics metrics()
            throws IOException
    {
        return metrics(MetricsConfig.getDefault());
    }

    /**
     * Metrics under a given configuration. NaN counts are absent: footers do not tell them. Where a row group does not tell
     * the bounds or null counts of a column, the file's are absent.
     *
     * @throws IOException when the footer cannot be understood
     */
    public Metrics metrics(MetricsConfig config)
            throws IOException
    {
        return CopiedMetrics.of(this, config);
    }
}
