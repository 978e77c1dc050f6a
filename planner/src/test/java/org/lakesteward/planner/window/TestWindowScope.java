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
package org.lakesteward.planner.window;

import com.google.common.collect.ImmutableList;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestWindowScope
{
    private static final long SEED = 20261130;

    @DataProvider
    public static Object[][] texts()
    {
        return new Object[][] {
                {"cluster", WindowScope.cluster(), "cluster"},
                {"CLUSTER", WindowScope.cluster(), "cluster"},
                {"\"cluster\"", WindowScope.catalog("cluster"), "\"cluster\""},
                {"cluster.sales", WindowScope.schema("cluster", "sales"), "cluster.sales"},
                {"lake", WindowScope.catalog("lake"), "lake"},
                {"Lake.SALES", WindowScope.schema("lake", "sales"), "lake.sales"},
                {"lake.sales.orders", WindowScope.table("lake", "sales", "orders"), "lake.sales.orders"},
                {"lake.sales.\"orders\"", WindowScope.table("lake", "sales", "orders"), "lake.sales.orders"},
                {"lake.\"a.b\".\"say \"\"hi\"\"\"", WindowScope.table("lake", "a.b", "say \"hi\""), "lake.\"a.b\".\"say \"\"hi\"\"\""},
                {"lake.2024_sales.t1", WindowScope.table("lake", "2024_sales", "t1"), "lake.2024_sales.t1"},
                {"\"my-lake\"", WindowScope.catalog("my-lake"), "\"my-lake\""},
        };
    }

    @Test(dataProvider = "texts")
    public void testParse(String text, WindowScope scope, String canonical)
    {
        assertThat(WindowScope.parse(text)).isEqualTo(scope).hasSameHashCodeAs(scope).hasToString(canonical);
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {{""}, {" "}, {"."}, {"lake."}, {".sales"}, {"lake..orders"}, {"a.b.c.d"}, {"\"lake"}, {"\"\""}, {"lake sales"}, {"my-lake"}, {"\"a\"b"}, {"lake.\"\""}, {"a;b"}};
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(String text)
    {
        assertThatThrownBy(() -> WindowScope.parse(text))
                .isInstanceOfSatisfying(InvalidWindowException.class, failure -> assertThat(failure.reason()).isEqualTo(InvalidWindowException.Reason.INVALID_ARGUMENT))
                .hasMessage("scope is '%s', it must be cluster, catalog, catalog.schema or catalog.schema.table, with names that are no plain identifiers in double quotes".formatted(text.strip()));
    }

    @Test
    public void testLongTextIsNotRepeatedWhole()
    {
        assertThatThrownBy(() -> WindowScope.parse("a b" + "c".repeat(5000)))
                .hasMessageStartingWith("scope is 'a b" + "c".repeat(197) + "…', it must be ");
    }

    @Test
    public void testCanonicalTextIsReadBack()
    {
        Random random = new Random(SEED);
        for (int round = 0; round < 2000; round++) {
            WindowScope scope = random(random);
            assertThat(WindowScope.parse(scope.toString())).as("seed %s, round %s", SEED, round).isEqualTo(scope);
        }
    }

    /** The definition of intersection, by listing every table of a small lake. */
    @Test
    public void testIntersectionMeansACommonTable()
    {
        List<String> names = ImmutableList.of("a", "b");
        ImmutableList.Builder<WindowScope> all = ImmutableList.builder();
        all.add(WindowScope.cluster());
        for (String catalog : names) {
            all.add(WindowScope.catalog(catalog));
            for (String schema : names) {
                all.add(WindowScope.schema(catalog, schema));
                for (String table : names) {
                    all.add(WindowScope.table(catalog, schema, table));
                }
            }
        }
        List<WindowScope> scopes = all.build();
        List<WindowScope> tables = scopes.stream().filter(scope -> scope.table().isPresent()).toList();
        for (WindowScope one : scopes) {
            for (WindowScope other : scopes) {
                boolean common = tables.stream().anyMatch(table -> contains(one, table) && contains(other, table));
                assertThat(one.intersects(other)).as("%s and %s", one, other).isEqualTo(common);
            }
        }
    }

    private static boolean contains(WindowScope scope, WindowScope table)
    {
        return scope.equals(WindowScope.cluster()) || table.toString().equals(scope.toString()) || table.toString().startsWith(scope + ".");
    }

    private static WindowScope random(Random random)
    {
        return switch (random.nextInt(3)) {
            case 0 -> WindowScope.catalog(name(random));
            case 1 -> WindowScope.schema(name(random), name(random));
            default -> WindowScope.table(name(random), name(random), name(random));
        };
    }

    private static String name(Random random)
    {
        String alphabet = "ab_1.\"' -ÄßクラCluster";
        StringBuilder name = new StringBuilder();
        int length = 1 + random.nextInt(8);
        for (int index = 0; index < length; index++) {
            name.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return name.toString();
    }
}
