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
 * Why a file is not rewritten.
 */
public enum LeftAloneReason
{
    RIGHT_SIZE("the size is between min_file_size and max_file_size, and no deletes apply"),
    DELETES_BELOW_THRESHOLD("the size is between min_file_size and max_file_size, and the deletes that apply are below both delete thresholds"),
    TOO_FEW_FILES("the partition has fewer small files than min_input_files, and together they do not fill one target file"),
    NOT_FEWER_FILES("rewriting would not leave fewer files"),
    ALREADY_REWRITTEN("an earlier rewrite made these files, and another would not clearly leave fewer"),
    ALONE_IN_GROUP("the file is alone in its share of the partition and already as large as that share's output would be"),
    IN_ORDER("the sort keys overlap those of no other file, and the size needs no rewrite"),
    CLUSTERED("a z-order by these columns wrote the file, and the size needs no rewrite"),
    OVER_MAX_FILES_TO_REWRITE("the file's group does not fit into max_files_to_rewrite any more");

    private final String sentence;

    LeftAloneReason(String sentence)
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
