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
package org.lakesteward.planner.rewrite;

import static java.util.Objects.requireNonNull;

/**
 * An argument of {@code rewrite_data_files} is outside of its range. The message is one sentence that can be shown to the user as it is.
 */
public class InvalidRewriteArgument
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final String argument;
    private final String value;
    private final String allowedRange;

    /**
     * @param argument name of the SQL argument, for instance {@code min_file_size}
     * @param value the refused value as text
     * @param allowedRange what would be accepted, worded to follow "must be"
     */
    public InvalidRewriteArgument(String argument, String value, String allowedRange)
    {
        super("Argument %s must be %s, but is %s".formatted(
                requireNonNull(argument, "argument is null"),
                requireNonNull(allowedRange, "allowedRange is null"),
                requireNonNull(value, "value is null")));
        this.argument = argument;
        this.value = value;
        this.allowedRange = allowedRange;
    }

    public String getArgument()
    {
        return argument;
    }

    public String getValue()
    {
        return value;
    }

    public String getAllowedRange()
    {
        return allowedRange;
    }
}
