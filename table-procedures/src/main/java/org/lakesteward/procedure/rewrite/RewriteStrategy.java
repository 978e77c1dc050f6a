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

import org.lakesteward.planner.rewrite.InvalidRewriteArgument;

import java.util.Arrays;

import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;

/**
 * How files are put together.
 */
public enum RewriteStrategy
{
    /** Whole files are packed into files of the target size. */
    BINPACK,
    /** Each file of a partition gets a key range of its own. */
    SORT,
    /** Each file of a partition gets a range of its own of a curve through the values of several columns. */
    ZORDER;

    /**
     * @throws InvalidRewriteArgument when the text names no strategy
     */
    static RewriteStrategy parse(String text)
    {
        return Arrays.stream(values())
                .filter(strategy -> strategy.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new InvalidRewriteArgument(
                        "strategy",
                        "'" + text + "'",
                        Arrays.stream(values()).map("'%s'"::formatted).collect(joining(", "))));
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(ENGLISH);
    }
}
