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
package org.lakesteward.planner.policy;

import org.lakesteward.planner.health.TableName;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestGrants
{
    @DataProvider
    public static Object[][] grants()
    {
        return new Object[][] {
                {List.of(), "lake", "sales", false},
                {List.of("lake"), "lake", "sales", true},
                {List.of("lake"), "lakes", "sales", false},
                {List.of("lake.sales"), "lake", "sales", true},
                {List.of("LAKE.Sales"), "lake", "sales", true},
                {List.of("lake.sales"), "lake", "sales_eu", false},
                {List.of("lake.sales"), "other", "sales", false},
                {List.of("lake.sales_*", "lake.web"), "lake", "sales_eu", true},
                {List.of("lake.sales_*", "lake.web"), "lake", "web", true},
                {List.of("lake.sales_*", "lake.web"), "lake", "hr", false},
                {List.of("*"), "any", "thing", true},
                {List.of("*.sales"), "any", "sales", true},
                {List.of("*.sales"), "any", "hr", false},
                {List.of("lake.a.b"), "lake", "a.b", true},
                {List.of("lake.a"), "lake", "a.b", false},
                {List.of(" lake . sales "), "lake", "sales", true},
        };
    }

    @Test(dataProvider = "grants")
    public void testIsGranted(List<String> texts, String catalog, String schema, boolean granted)
    {
        assertThat(Grants.parse(texts).isGranted(new TableName(catalog, schema, "t"))).as("%s to %s.%s", texts, catalog, schema).isEqualTo(granted);
    }

    @Test
    public void testNothingIsGrantedByDefault()
    {
        assertThat(Grants.NONE.isGranted(new TableName("lake", "sales", "t"))).isFalse();
        assertThat(Grants.parse(List.of())).isEqualTo(Grants.NONE);
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {{""}, {" "}, {"."}, {"lake."}, {".sales"}, {"lake. "}};
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(String text)
    {
        assertThatThrownBy(() -> Grants.parse(List.of("lake", text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is no grant: it must be catalog or catalog.schema, with * for any number of characters", text);
    }
}
