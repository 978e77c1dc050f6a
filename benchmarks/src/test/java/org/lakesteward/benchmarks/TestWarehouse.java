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

import org.testng.annotations.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestWarehouse
{
    private final Warehouse warehouse = new Warehouse(Path.of("/lake"));

    @Test
    public void testFile()
    {
        assertThat(warehouse.file("local:///bench/a.parquet")).isEqualTo(Path.of("/lake/bench/a.parquet"));
        assertThat(warehouse.file("file:///lake/bench/a.parquet")).isEqualTo(Path.of("/lake/bench/a.parquet"));
        assertThat(warehouse.file("file:/lake/bench/a.parquet")).isEqualTo(Path.of("/lake/bench/a.parquet"));
    }

    @Test
    public void testFileElsewhere()
    {
        assertThatThrownBy(() -> warehouse.file("file:///elsewhere/a.parquet")).hasMessage("location is file:///elsewhere/a.parquet, it must be below /lake");
        assertThatThrownBy(() -> warehouse.file("local:///../a.parquet")).hasMessageEndingWith("it must be below /lake");
        assertThatThrownBy(() -> warehouse.file("s3://bucket/a.parquet")).hasMessage("location is s3://bucket/a.parquet, it must begin with local:// or file:");
    }
}
