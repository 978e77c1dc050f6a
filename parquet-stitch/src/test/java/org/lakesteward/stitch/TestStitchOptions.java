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

import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestStitchOptions
{
    @Test
    public void testDefaults()
    {
        assertThat(StitchOptions.DEFAULTS).isEqualTo(new StitchOptions(134_217_728, 1_048_576, 20_000, 8_000, 1_048_576, 16_777_216, 67_108_864, 16_777_216, 8_388_608, 67_108_864, true));
    }

    @Test
    public void testInvalid()
    {
        StitchOptions options = StitchOptions.DEFAULTS;
        assertThatThrownBy(() -> options.withTargetRowGroupSize(0)).hasMessage("targetRowGroupSize is 0, must be at least 1");
        assertThatThrownBy(() -> options.withTargetPage(0, 1)).hasMessage("targetPageSize is 0, must be at least 1");
        assertThatThrownBy(() -> options.withTargetPage(1, 0)).hasMessage("targetPageValues is 0, must be at least 1");
        assertThatThrownBy(() -> options.withSmallPageValues(-1)).hasMessage("smallPageValues is -1, must be at least 0");
        assertThatThrownBy(() -> options.withDictionarySizes(2, 1)).hasMessage("targetDictionarySize is 2, must be between 0 and maxDictionarySize (1)");
        assertThatThrownBy(() -> options.withDictionarySizes(2, Integer.MAX_VALUE)).hasMessage("maxDictionarySize is 2147483647, must be at most 1073741824");
        assertThatThrownBy(() -> options.withMaxPage(0, 1)).hasMessage("maxPageSize is 0, must be between 1 and 1073741824");
        assertThatThrownBy(() -> options.withMaxPage(1, 0)).hasMessage("maxPageValues is 0, must be between 1 and 268435456");
        assertThatThrownBy(() -> options.withReadSize(0)).hasMessage("readSize is 0, must be between 1 and 1073741824");
        assertThatThrownBy(() -> options.withMinSplitDistance(-1)).hasMessage("minSplitDistance is -1, must be at least 0");
        assertThat(options.withVerify(false).verify()).isFalse();
    }
}
