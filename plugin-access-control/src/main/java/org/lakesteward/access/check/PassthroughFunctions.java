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
package org.lakesteward.access.check;

import io.trino.spi.connector.CatalogSchemaRoutineName;

import java.util.Collection;
import java.util.Locale;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The table functions that hand text to another system. Looked at for every function that is no built-in one, so it allocates nothing.
 */
public final class PassthroughFunctions
{
    private final String[] schemas;
    private final String[] functions;

    /**
     * @param names {@code schema.function} each
     */
    public PassthroughFunctions(Collection<String> names)
    {
        schemas = new String[names.size()];
        functions = new String[names.size()];
        int index = 0;
        for (String name : names) {
            int dot = name.indexOf('.');
            checkArgument(dot > 0 && dot < name.length() - 1, "passthrough function is '%s', it must be schema.function", name);
            schemas[index] = name.substring(0, dot).toLowerCase(Locale.ENGLISH);
            functions[index] = name.substring(dot + 1).toLowerCase(Locale.ENGLISH);
            index++;
        }
    }

    public boolean contains(CatalogSchemaRoutineName name)
    {
        for (int index = 0; index < schemas.length; index++) {
            if (functions[index].equals(name.getRoutineName()) && schemas[index].equals(name.getSchemaName())) {
                return true;
            }
        }
        return false;
    }
}
