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
package org.lakesteward.stitch.statistics;

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.SizeStatistics;
import org.lakesteward.stitch.footer.LeafColumn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds up the size statistics of chunks (SizeStatistics in parquet.thrift). Each of the three parts is there only if every
 * chunk has it. Not safe for use by several threads.
 */
public final class SizeStatisticsSum
{
    private final LeafColumn leaf;
    private boolean started;
    private Optional<Long> byteArrayBytes;
    private Optional<List<Long>> repetitionHistogram;
    private Optional<List<Long>> definitionHistogram;

    public SizeStatisticsSum(LeafColumn leaf)
    {
        this.leaf = leaf;
        reset();
    }

    public void reset()
    {
        started = false;
        byteArrayBytes = Optional.empty();
        repetitionHistogram = Optional.empty();
        definitionHistogram = Optional.empty();
    }

    public void add(ColumnMetaData column)
    {
        SizeStatistics statistics = column.isSetSize_statistics() ? column.getSize_statistics() : new SizeStatistics();
        Optional<Long> bytes = statistics.isSetUnencoded_byte_array_data_bytes() ? Optional.of(statistics.getUnencoded_byte_array_data_bytes()) : Optional.empty();
        Optional<List<Long>> repetition = histogram(statistics.getRepetition_level_histogram(), leaf.maxRepetitionLevel());
        Optional<List<Long>> definition = histogram(statistics.getDefinition_level_histogram(), leaf.maxDefinitionLevel());
        if (!started) {
            started = true;
            byteArrayBytes = bytes;
            repetitionHistogram = repetition;
            definitionHistogram = definition;
            return;
        }
        byteArrayBytes = byteArrayBytes.flatMap(left -> bytes.map(right -> left + right));
        repetitionHistogram = repetitionHistogram.flatMap(left -> repetition.map(right -> sum(left, right)));
        definitionHistogram = definitionHistogram.flatMap(left -> definition.map(right -> sum(left, right)));
    }

    private static Optional<List<Long>> histogram(List<Long> histogram, int maxLevel)
    {
        return Optional.ofNullable(histogram).filter(counts -> counts.size() == maxLevel + 1);
    }

    private static List<Long> sum(List<Long> left, List<Long> right)
    {
        List<Long> sums = new ArrayList<>(left.size());
        for (int level = 0; level < left.size(); level++) {
            sums.add(left.get(level) + right.get(level));
        }
        return sums;
    }

    /**
     * @return empty when nothing is known
     */
    public Optional<SizeStatistics> result()
    {
        if (byteArrayBytes.isEmpty() && repetitionHistogram.isEmpty() && definitionHistogram.isEmpty()) {
            return Optional.empty();
        }
        SizeStatistics statistics = new SizeStatistics();
        byteArrayBytes.ifPresent(statistics::setUnencoded_byte_array_data_bytes);
        repetitionHistogram.ifPresent(statistics::setRepetition_level_histogram);
        definitionHistogram.ifPresent(statistics::setDefinition_level_histogram);
        return Optional.of(statistics);
    }
}
