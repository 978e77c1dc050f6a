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

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;

public class TestCronFields
{
    @DataProvider
    public static Object[][] valid()
    {
        return new Object[][] {
                {"* * * * *"},
                {"0 3 * * *"},
                {"59 23 31 12 7"},
                {"0 0 1 1 0"},
                {"*/15 * * * *"},
                {"0,30 8-18/2 * * MON-FRI"},
                {"5 4 * jan,Jul sun"},
                {"0 0 1-7,15-21 * *"},
                {"  0\t3  *  * * "},
        };
    }

    @Test(dataProvider = "valid")
    public void testValid(String text)
    {
        assertThat(CronFields.isValid(text)).as(text).isTrue();
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {
                {""}, {"* * * *"}, {"* * * * * *"}, {"@daily"}, {"0 3 * * ?"},
                {"60 * * * *"}, {"* 24 * * *"}, {"* * 0 * *"}, {"* * 32 * *"}, {"* * * 0 *"}, {"* * * 13 *"}, {"* * * * 8"},
                {"-1 * * * *"}, {"1- * * * *"}, {"-5 * * * *"}, {"9-5 * * * *"}, {"* * * * FRI-MON"}, {", * * * *"}, {"1, * * * *"}, {"1,,2 * * * *"},
                {"*/0 * * * *"}, {"*/60 * * * *"}, {"5/10 * * * *"}, {"*/ * * * *"}, {"/5 * * * *"}, {"1-2-3 * * * *"}, {"** * * * *"},
                {"mon * * * *"}, {"* * * mon *"}, {"* * * * jan"}, {"* * * * monday"}, {"100 * * * *"}, {"٣ * * * *"}, {"0 3 * * L"}, {"0 3 * * 1#2"},
                {"0 3 * * *\n0 4 * * *"},
        };
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(String text)
    {
        assertThat(CronFields.isValid(text)).as(text).isFalse();
    }
}
