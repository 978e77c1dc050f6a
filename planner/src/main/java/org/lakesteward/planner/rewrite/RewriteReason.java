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
 * Why a file is rewritten. A file that is only too small is rewritten when that pays; every other reason stands by itself.
 */
public enum RewriteReason
{
    TOO_SMALL("smaller than min_file_size"),
    TOO_LARGE("larger than max_file_size"),
    DELETE_FILES("at least delete_file_threshold delete files apply"),
    DELETE_RATIO("at least delete_ratio_threshold of the rows are deleted"),
    OVERLAPS("the sort keys overlap those of another file"),
    NOT_SORTED("the file does not carry the table's sort order"),
    NOT_CLUSTERED("no z-order by these columns wrote the file"),
    OTHER_SPEC("files of another partition spec are put into their partitions"),
    REWRITE_ALL("rewrite_all is set");

    private final String sentence;

    RewriteReason(String sentence)
    {
        this.sentence = requireNonNull(sentence, "sentence is null");
    }

    /**
     * The reason in words, for users.
     */
    public String sentence()
    {
        return sentence;
    }
}
