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

import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveComparator;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that bounds and counts of a result are exactly the union of those of the inputs, as parquet-mr reads them.
 */
final class BoundsValidator
{
    private BoundsValidator() {}

    private static final class Union
    {
        private long values;
        private long nulls;
        private boolean nullsKnown = true;
        private boolean bounded = true;
        private boolean ordered = true;
        private Comparable<?> min;
        private Comparable<?> max;

        @SuppressWarnings({"unchecked", "rawtypes"})
        private void add(ColumnChunkMetaData chunk)
        {
            Statistics<?> statistics = chunk.getStatistics();
            values += chunk.getValueCount();
            // where no order is defined there are no bounds, even if parquet-mr knows that there is only one value
            ordered &= chunk.getPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.INT96 && !(chunk.getPrimitiveType().getLogicalTypeAnnotation() instanceof Float16LogicalTypeAnnotation);
            boolean known = statistics != null && statistics.isNumNullsSet();
            nullsKnown &= known;
            nulls += known ? statistics.getNumNulls() : 0;
            if (statistics == null || !statistics.hasNonNullValue()) {
                bounded &= known && statistics.getNumNulls() == chunk.getValueCount();
                return;
            }
            PrimitiveComparator comparator = chunk.getPrimitiveType().comparator();
            if (min == null || comparator.compare(statistics.genericGetMin(), min) < 0) {
                min = (Comparable<?>) statistics.genericGetMin();
            }
            if (max == null || comparator.compare(statistics.genericGetMax(), max) > 0) {
                max = (Comparable<?>) statistics.genericGetMax();
            }
        }
    }

    static void validate(byte[] output, List<byte[]> files, StitchResult result)
            throws IOException
    {
        Map<String, Union> expected = unions(files);
        Map<String, Union> actual = unions(List.of(output));
        if (result.rowCount() == 0) {
            return;
        }
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((column, union) -> {
            Union other = actual.get(column);
            assertThat(other.values).as("values of %s", column).isEqualTo(union.values);
            assertThat(other.nullsKnown).as("whether nulls of %s are known", column).isEqualTo(union.nullsKnown);
            if (union.nullsKnown) {
                assertThat(other.nulls).as("nulls of %s", column).isEqualTo(union.nulls);
            }
            if (union.bounded && union.ordered) {
                assertThat(other.bounded).as("whether %s has bounds", column).isTrue();
                assertThat((Object) other.min).as("least value of %s", column).isEqualTo(union.min);
                assertThat((Object) other.max).as("greatest value of %s", column).isEqualTo(union.max);
            }
        });
        for (ColumnMetrics metrics : result.columns()) {
            Union union = expected.get(String.join(".", metrics.path()));
            assertThat(metrics.valueCount()).isEqualTo(union.values);
            assertThat(metrics.nullCount().isPresent()).isEqualTo(union.nullsKnown);
            metrics.nullCount().ifPresent(nulls -> assertThat(nulls).isEqualTo(union.nulls));
            assertThat(metrics.compressedSize()).isPositive();
        }
    }

    private static Map<String, Union> unions(List<byte[]> files)
            throws IOException
    {
        Map<String, Union> unions = new HashMap<>();
        List<ColumnChunkMetaData> chunks = new ArrayList<>();
        for (byte[] file : files) {
            try (ParquetFileReader reader = ParquetFileReader.open(new BytesInputFile(file), ParquetReadOptions.builder(new PlainParquetConfiguration()).withCodecFactory(new TestingCodecs()).build())) {
                for (BlockMetaData block : reader.getFooter().getBlocks()) {
                    chunks.addAll(block.getColumns());
                }
            }
        }
        chunks.forEach(chunk -> unions.computeIfAbsent(chunk.getPath().toDotString(), _ -> new Union()).add(chunk));
        return unions;
    }
}
