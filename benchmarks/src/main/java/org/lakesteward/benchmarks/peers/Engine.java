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
package org.lakesteward.benchmarks.peers;

import org.lakesteward.benchmarks.DeleteKind;
import org.lakesteward.benchmarks.Scenario;

import static java.util.Objects.requireNonNull;

/**
 * Who rewrites.
 */
enum Engine
{
    OURS("ours", "Lakesteward") {
        @Override
        String statement(String schema, String table, Scenario scenario)
        {
            return "ALTER TABLE lake.%s.%s EXECUTE rewrite_data_files%s".formatted(schema, table, scenario.sortedBy().isPresent() ? "(strategy => 'sort')" : "");
        }
    },
    OPTIMIZE("optimize", "Trino optimize") {
        @Override
        String statement(String schema, String table, Scenario scenario)
        {
            return "ALTER TABLE stock.%s.%s EXECUTE optimize".formatted(schema, table);
        }
    },
    SPARK("spark", "Spark") {
        @Override
        String statement(String schema, String table, Scenario scenario)
        {
            // the two others remove the delete files of what they rewrite; Spark does when it is told to
            return "CALL %s.system.rewrite_data_files(table => '%s.%s'%s%s)".formatted(
                    SparkEngine.CATALOG,
                    schema,
                    table,
                    scenario.sortedBy().isPresent() ? ", strategy => 'sort'" : "",
                    scenario.deletes() == DeleteKind.NONE ? "" : ", options => map('remove-dangling-deletes', 'true')");
        }
    };

    private final String id;
    private final String title;

    Engine(String id, String title)
    {
        this.id = requireNonNull(id, "id is null");
        this.title = requireNonNull(title, "title is null");
    }

    /** In names of fields and tables */
    String id()
    {
        return id;
    }

    /** For people */
    String title()
    {
        return title;
    }

    abstract String statement(String schema, String table, Scenario scenario);
}
