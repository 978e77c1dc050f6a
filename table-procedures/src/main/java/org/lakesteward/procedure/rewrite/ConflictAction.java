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

import static java.util.Locale.ENGLISH;

/**
 * What a rewrite does when another writer's commit touched files that it rewrote.
 */
public enum ConflictAction
{
    /** The statement fails and the table is as it was before it. */
    FAIL,
    /** File groups that are still valid are committed, the others are left alone and counted. */
    SKIP_GROUP;

    /**
     * Reads the SQL argument {@code on_conflict}; case does not matter.
     *
     * @throws InvalidRewriteArgument when the text names no action
     */
    public static ConflictAction parse(String text)
    {
        return switch (text.toLowerCase(ENGLISH)) {
            case "fail" -> FAIL;
            case "skip_group" -> SKIP_GROUP;
            default -> throw new InvalidRewriteArgument("on_conflict", "'" + text + "'", "'fail' or 'skip_group'");
        };
    }
}
