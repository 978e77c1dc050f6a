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
package org.lakesteward.testing.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;

public class TestPropertiesFile
{
    private static final PropertiesFile FILE = new PropertiesFile(ImmutableList.of(
            "# a comment with a=b",
            "connector.name = iceberg",
            "",
            "url=jdbc:h2:file;MODE=X"));

    @Test
    public void testProperties()
    {
        assertThat(FILE.properties()).isEqualTo(ImmutableMap.of(
                "connector.name", "iceberg",
                "url", "jdbc:h2:file;MODE=X"));
    }

    @Test
    public void testWith()
    {
        assertThat(FILE.with(ImmutableMap.of("url", "other", "fs.local.enabled", "true")).lines()).containsExactly(
                "# a comment with a=b",
                "connector.name = iceberg",
                "",
                "url=other",
                "fs.local.enabled=true");
    }
}
