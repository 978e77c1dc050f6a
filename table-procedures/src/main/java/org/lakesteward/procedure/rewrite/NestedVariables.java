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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.iceberg.ColumnIdentity;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.Variable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Puts a variable in place of each nested field that an expression reads, so that a nested field is decided like any other column.
 * Not thread-safe.
 */
final class NestedVariables
{
    private final Map<String, IcebergColumnHandle> columns;

    /**
     * @param columns the columns behind the variables of the expressions
     */
    NestedVariables(Map<String, IcebergColumnHandle> columns)
    {
        this.columns = new HashMap<>(columns);
    }

    /** The columns that were given, and the nested ones that were found. */
    Map<String, IcebergColumnHandle> columns()
    {
        return ImmutableMap.copyOf(columns);
    }

    ConnectorExpression replace(ConnectorExpression expression)
    {
        return switch (expression) {
            case FieldDereference dereference -> nestedColumn(dereference)
                    .map(column -> variable(column, dereference))
                    .orElseGet(() -> new FieldDereference(dereference.getType(), replace(dereference.getTarget()), dereference.getField()));
            case Call call -> new Call(
                    call.getType(),
                    call.getFunctionName(),
                    call.getArguments().stream()
                            .map(this::replace)
                            .collect(toImmutableList()));
            default -> expression;
        };
    }

    private ConnectorExpression variable(IcebergColumnHandle column, FieldDereference dereference)
    {
        // the number keeps it apart from a top-level column of that name
        String name = column.getQualifiedName() + "#" + column.getId();
        columns.put(name, column);
        return new Variable(name, dereference.getType());
    }

    private Optional<IcebergColumnHandle> nestedColumn(FieldDereference dereference)
    {
        Optional<IcebergColumnHandle> parent = switch (dereference.getTarget()) {
            case Variable variable -> Optional.ofNullable(columns.get(variable.getName()));
            case FieldDereference nested -> nestedColumn(nested);
            default -> Optional.empty();
        };
        return parent.map(column -> {
            ColumnIdentity field = column.getColumnIdentity().getChildren().get(dereference.getField());
            return IcebergColumnHandle.optional(column.getBaseColumnIdentity())
                    .fieldType(column.getBaseType(), dereference.getType())
                    .path(ImmutableList.<Integer>builder().addAll(column.getPath()).add(field.getId()).build())
                    .build();
        });
    }
}
