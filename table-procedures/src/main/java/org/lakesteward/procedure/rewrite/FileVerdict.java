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

import static java.util.Objects.requireNonNull;

/**
 * What a WHERE clause says about one whole data file.
 */
sealed interface FileVerdict
{
    FileVerdict IN = new WhollyIn();
    FileVerdict OUT = new WhollyOut();

    /** The clause is true for every row that the file can hold. */
    record WhollyIn()
            implements FileVerdict {}

    /** The clause is true for no row that the file can hold. */
    record WhollyOut()
            implements FileVerdict {}

    /**
     * Some rows may be selected and others not, or nobody can tell.
     *
     * @param condition the part of the clause to blame, in words that a user recognizes
     * @param why what is in the way
     */
    record Partly(String condition, String why)
            implements FileVerdict
    {
        public Partly
        {
            requireNonNull(condition, "condition is null");
            requireNonNull(why, "why is null");
        }
    }
}
