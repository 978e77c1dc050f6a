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
package org.lakesteward.systemtables;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.lakesteward.planner.health.TableName;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

public class TestTableFilter
{
    private static final TableName ORDERS = new TableName("lake", "sales", "orders");

    @Test
    public void testNames()
    {
        TableFilter filter = TableFilter.of(TupleDomain.withColumnDomains(ImmutableMap.of(
                0, Domain.singleValue(VARCHAR, utf8Slice("lake")),
                2, Domain.multipleValues(VARCHAR, List.<Slice>of(utf8Slice("orders"), utf8Slice("größe"))),
                5, Domain.singleValue(VARCHAR, utf8Slice("table")))));

        assertThat(filter).isEqualTo(new TableFilter(Optional.of(Set.of("lake")), Optional.empty(), Optional.of(Set.of("orders", "größe"))));
        assertThat(filter.matches(ORDERS)).isTrue();
        assertThat(filter.matches(new TableName("lake", "hr", "größe"))).isTrue();
        assertThat(filter.matches(new TableName("lakes", "sales", "orders"))).isFalse();
        assertThat(filter.matches(new TableName("lake", "sales", "order"))).isFalse();
    }

    @Test
    public void testWhatNamesNothing()
    {
        assertThat(TableFilter.of(TupleDomain.all())).isEqualTo(TableFilter.ALL);
        assertThat(TableFilter.of(TupleDomain.withColumnDomains(ImmutableMap.of(
                0, Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, utf8Slice("a"))), false),
                1, Domain.notNull(VARCHAR))))).isEqualTo(TableFilter.ALL);
        assertThat(TableFilter.ALL.matches(ORDERS)).isTrue();
    }

    @Test
    public void testNone()
    {
        TableFilter none = TableFilter.of(TupleDomain.none());
        assertThat(none.matches(ORDERS)).isFalse();
        assertThat(TableFilter.of(TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.onlyNull(VARCHAR)))).matches(ORDERS)).isFalse();
    }
}
