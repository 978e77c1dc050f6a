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
import org.apache.parquet.format.Statistics;
import org.lakesteward.stitch.io.LittleEndian;
import org.lakesteward.stitch.statistics.Bounds.Range;
import org.testng.annotations.Test;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalLong;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

public class TestBounds
{
    private static byte[] plain(int value)
    {
        byte[] bytes = new byte[4];
        LittleEndian.putInt(bytes, 0, value);
        return bytes;
    }

    private static byte[] plain(double value)
    {
        byte[] bytes = new byte[8];
        LittleEndian.putLong(bytes, 0, Double.doubleToRawLongBits(value));
        return bytes;
    }

    private static ColumnMetaData column(long values, Statistics statistics)
    {
        ColumnMetaData column = new ColumnMetaData();
        column.setNum_values(values);
        if (statistics != null) {
            column.setStatistics(statistics);
        }
        return column;
    }

    private static Bounds bounds(int min, int max, Optional<Boolean> minExact, Optional<Boolean> maxExact)
    {
        return new Bounds(10, OptionalLong.of(1), Optional.of(new Range(plain(min), plain(max), minExact, maxExact)));
    }

    @Test
    public void testOrders()
    {
        assertThat(ValueOrder.SIGNED_INT32.compare(plain(-1), plain(1))).isNegative();
        assertThat(ValueOrder.UNSIGNED_INT32.compare(plain(-1), plain(1))).isPositive();
        assertThat(ValueOrder.DOUBLE.compare(plain(-0.0), plain(0.0))).isNegative();
        assertThat(ValueOrder.DOUBLE.isBound(plain(Double.NaN))).isFalse();
        assertThat(ValueOrder.DOUBLE.isBound(new byte[7])).isFalse();
        assertThat(ValueOrder.BYTES.compare("a".getBytes(UTF_8), new byte[] {-1})).isNegative();
        assertThat(ValueOrder.BYTES.compare(new byte[0], new byte[] {0})).isNegative();
        assertThat(ValueOrder.UNDEFINED.isBound(new byte[4])).isFalse();
        assertThat(ValueOrder.SIGNED_BYTES.isBound(new byte[0])).isFalse();
        for (long left : new long[] {-70_000, -256, -129, -128, -1, 0, 1, 127, 128, 255, 256, 70_000}) {
            for (long right : new long[] {-70_000, -256, -129, -128, -1, 0, 1, 127, 128, 255, 256, 70_000}) {
                // of any length
                assertThat(Integer.signum(ValueOrder.SIGNED_BYTES.compare(BigInteger.valueOf(left).toByteArray(), BigInteger.valueOf(right).toByteArray())))
                        .as("%s and %s", left, right)
                        .isEqualTo(Long.compare(left, right));
            }
        }
    }

    @Test
    public void testStatistics()
    {
        Statistics statistics = new Statistics().setNull_count(2);
        statistics.setMin_value(plain(3));
        statistics.setMax_value(plain(5));
        statistics.setIs_min_value_exact(true);
        Bounds bounds = Bounds.of(column(10, statistics), ValueOrder.SIGNED_INT32);
        assertThat(bounds.nulls()).hasValue(2);
        assertThat(bounds.range().orElseThrow().minExact()).contains(true);
        assertThat(bounds.range().orElseThrow().maxExact()).isEmpty();
        assertThat(bounds.isUnbounded()).isFalse();

        // not in order, one missing, of a wrong length, more nulls than values
        statistics.setMin_value(plain(6));
        assertThat(Bounds.of(column(10, statistics), ValueOrder.SIGNED_INT32).range()).isEmpty();
        statistics.unsetMin_value();
        assertThat(Bounds.of(column(10, statistics), ValueOrder.SIGNED_INT32).range()).isEmpty();
        statistics.setMin_value(new byte[3]);
        assertThat(Bounds.of(column(10, statistics), ValueOrder.SIGNED_INT32).range()).isEmpty();
        assertThat(Bounds.of(column(1, statistics), ValueOrder.SIGNED_INT32).nulls()).isEmpty();
        assertThat(Bounds.of(column(10, null), ValueOrder.SIGNED_INT32).isUnbounded()).isTrue();
        assertThat(Bounds.of(column(10, new Statistics().setNull_count(10)), ValueOrder.SIGNED_INT32).isUnbounded()).isFalse();

        // the deprecated fields are in signed order
        Statistics old = new Statistics();
        old.setMin(plain(3));
        old.setMax(plain(5));
        assertThat(Bounds.of(column(10, old), ValueOrder.SIGNED_INT32).range()).isPresent();
        assertThat(Bounds.of(column(10, old), ValueOrder.UNSIGNED_INT32).range()).isEmpty();
        assertThat(Bounds.of(column(10, old), ValueOrder.BYTES).range()).isEmpty();
    }

    @Test
    public void testUnion()
    {
        BoundsUnion union = new BoundsUnion(ValueOrder.SIGNED_INT32);
        union.add(bounds(1, 5, Optional.of(true), Optional.of(false)));
        union.add(bounds(-3, 5, Optional.empty(), Optional.of(true)));
        // only nulls: says nothing, and takes nothing away
        union.add(new Bounds(4, OptionalLong.of(4), Optional.empty()));
        Bounds result = union.result();
        assertThat(result.values()).isEqualTo(24);
        assertThat(result.nulls()).hasValue(6);
        Range range = result.range().orElseThrow();
        assertThat(range.min()).isEqualTo(plain(-3));
        assertThat(range.max()).isEqualTo(plain(5));
        assertThat(range.minExact()).isEmpty();
        assertThat(range.maxExact()).contains(true);

        union.add(new Bounds(4, OptionalLong.empty(), Optional.empty()));
        assertThat(union.result().range()).isEmpty();
        assertThat(union.result().nulls()).isEmpty();
        // and so it stays
        union.add(bounds(1, 5, Optional.of(true), Optional.of(true)));
        assertThat(union.result().range()).isEmpty();
        union.reset();
        union.add(bounds(1, 5, Optional.of(true), Optional.of(false)));
        assertThat(union.result().range().orElseThrow().maxExact()).contains(false);
    }
}
