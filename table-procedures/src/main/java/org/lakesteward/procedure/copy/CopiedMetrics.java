
package org.lakesteward.procedure.copy;

import io.trino.parquet.ParquetDataSourceId;
import io.trino.parquet.metadata.BlockMetadata;
import io.trino.parquet.metadata.ColumnChunkMetadata;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.plugin.iceberg.util.ParquetUtil;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Iceberg metrics of a copied file, computed by the stock code (ParquetUtil.footerMetrics) from a footer whose statistics are
 * such that the stock code cannot go wrong on them. It takes the bounds of the row groups that have some for the bounds of
 * the file, and an unknown number of nulls for -1; both are harmless for files of Trino's own writer and not for others.
 */
final class CopiedMetrics
{
    private CopiedMetrics() {}

    static Metrics of(CopiedFile file, MetricsConfig config)
            throws IOException
    {
        ParquetMetadata metadata = file.parquetMetadata();
        Set<Integer> withoutNullCounts = new TreeSet<>();
        Set<Integer> withoutBounds = new TreeSet<>();
        for (BlockMetadata block : metadata.getBlocks()) {
            for (int column = 0; column < block.columns().size(); column++) {
                ColumnChunkMetadata chunk = block.columns().get(column);
                Statistics<?> statistics = chunk.getStatistics();
                if (statistics == null || !statistics.isNumNullsSet()) {
                    withoutNullCounts.add(column);
                }
                else if (!statistics.hasNonNullValue() && statistics.getNumNulls() < chunk.getValueCount()) {
                    withoutBounds.add(column);
                }
                if (!isConvertible(chunk.getPrimitiveType())) {
                    withoutBounds.add(column);
                }
            }
        }
        if (!withoutNullCounts.isEmpty() || !withoutBounds.isEmpty()) {
            FileMetaData reduced = new FileMetaData(file.metadata());
            for (RowGroup rowGroup : reduced.getRow_groups()) {
                withoutNullCounts.forEach(column -> rowGroup.getColumns().get(column).getMeta_data().unsetStatistics());
                withoutBounds.forEach(column -> removeBounds(rowGroup.getColumns().get(column).getMeta_data()));
            }
            metadata = new ParquetMetadata(reduced, new ParquetDataSourceId(file.location().toString()), Optional.empty());
        }
        return ParquetUtil.footerMetrics(metadata, Stream.empty(), config);
    }

    private static void removeBounds(org.apache.parquet.format.ColumnMetaData metadata)
    {
        if (metadata.isSetStatistics()) {
            metadata.getStatistics().unsetMin();
            metadata.getStatistics().unsetMax();
            metadata.getStatistics().unsetMin_value();
            metadata.getStatistics().unsetMax_value();
        }
    }

    /** The stock code fails on bounds of the other types (ParquetUtil.fromParquetPrimitive). */
    private static boolean isConvertible(PrimitiveType type)
    {
        return switch (type.getLogicalTypeAnnotation()) {
            case TimestampLogicalTypeAnnotation timestamp -> timestamp.getUnit() == TimeUnit.MICROS;
            case null, default -> true;
        };
    }
}
