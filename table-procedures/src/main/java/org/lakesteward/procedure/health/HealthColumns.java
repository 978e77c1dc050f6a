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
package org.lakesteward.procedure.health;

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The columns of {@code "t$health"}.
 */
final class HealthColumns
{
    static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            column("finding", VARCHAR, "What is wrong"),
            column("severity", VARCHAR, "INFO, WARNING or CRITICAL"),
            column("measured_value", DOUBLE, "The measured value, in the unit; null when metadata does not tell"),
            column("unit", VARCHAR, "Unit of the measured value and of the threshold"),
            column("threshold", DOUBLE, "The value from which on the rule warns"),
            column("reason", VARCHAR, "Why, in words"),
            column("statement", VARCHAR, "The statement that mends it, ready to run; null when there is none"));

    private HealthColumns() {}

    static ColumnMetadata column(String name, Type type, String comment)
    {
        return ColumnMetadata.builder()
                .setName(name)
                .setType(type)
                .setComment(Optional.of(comment))
                .build();
    }
}
