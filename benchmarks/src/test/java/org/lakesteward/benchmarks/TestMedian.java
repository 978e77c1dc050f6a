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
package org.lakesteward.benchmarks;

import com.google.common.collect.ImmutableList;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestMedian
{
    @Test
    public void testMiddle()
    {
        assertThat(Median.of(ImmutableList.of(3))).isEqualTo(3);
        assertThat(Median.of(ImmutableList.of(10.0, -1.0, 2.5))).isEqualTo(2.5);
        assertThat(Median.of(ImmutableList.of(4L, 1L, 3L, 100L))).isEqualTo(3.5);
    }

    @Test
    public void testNoValues()
    {
        assertThatThrownBy(() -> Median.of(ImmutableList.<Long>of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values is empty, it must have at least one");
    }
}
