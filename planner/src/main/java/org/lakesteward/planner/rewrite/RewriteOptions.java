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

import java.util.OptionalInt;

import static java.lang.Math.max;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.rewrite.ByteSize.GIGABYTE;
import static org.lakesteward.planner.rewrite.ByteSize.MEGABYTE;

/**
 * Complete and valid options of one planning of {@code rewrite_data_files}: no instance is out of range.
 *
 * @param targetFileSize bytes, at least 1 MB; no output is predicted to be larger
 * @param minFileSize bytes, 1 to {@code targetFileSize}; a smaller file may be rewritten
 * @param maxFileSize bytes, at least {@code targetFileSize}; a larger file is rewritten
 * @param minInputFiles at least 1; so many small files of a partition are worth rewriting
 * @param maxFileGroupSize bytes, at least {@code targetFileSize}; bound of the input bytes of a group of two or more files
 * @param deleteFileThreshold at least 1; a file to which so many delete files apply is rewritten
 * @param deleteRatioThreshold above 0 and at most 1; a file of whose rows this share is known to be deleted is rewritten
 * @param rewriteAll rewrite every file
 * @param jobOrder the order of the groups
 * @param maxFilesToRewrite at least 1; bound of the input files of the whole plan
 * @param outputSpecId the partition spec that new files are written with; a file of another spec cannot be copied
 * @param copyEnabled whether any group may take the copy path
 */
public record RewriteOptions(
        long targetFileSize,
        long minFileSize,
        long maxFileSize,
        int minInputFiles,
        long maxFileGroupSize,
        int deleteFileThreshold,
        double deleteRatioThreshold,
        boolean rewriteAll,
        RewriteJobOrder jobOrder,
        OptionalInt maxFilesToRewrite,
        int outputSpecId,
        boolean copyEnabled)
{
    public static final long LEAST_TARGET_FILE_SIZE = MEGABYTE;
    public static final double DEFAULT_MIN_FILE_SIZE_RATIO = 0.75;
    public static final double DEFAULT_MAX_FILE_SIZE_RATIO = 1.8;
    public static final int DEFAULT_MIN_INPUT_FILES = 5;
    public static final long DEFAULT_MAX_FILE_GROUP_SIZE = 100 * GIGABYTE;
    public static final int DEFAULT_DELETE_FILE_THRESHOLD = 2;
    public static final double DEFAULT_DELETE_RATIO_THRESHOLD = 0.3;

    private static final String TARGET_FILE_SIZE = "target_file_size";
    private static final String MIN_FILE_SIZE = "min_file_size";
    private static final String MAX_FILE_SIZE = "max_file_size";
    private static final String MAX_FILE_GROUP_SIZE = "max_file_group_size";

    /**
     * @throws InvalidRewriteArgument when a value is out of its range
     */
    public RewriteOptions
    {
        requireNonNull(jobOrder, "jobOrder is null");
        requireNonNull(maxFilesToRewrite, "maxFilesToRewrite is null");

        String target = "target_file_size (%s)".formatted(ByteSize.format(targetFileSize));
        checkSize(targetFileSize >= LEAST_TARGET_FILE_SIZE, TARGET_FILE_SIZE, targetFileSize, "at least " + ByteSize.format(LEAST_TARGET_FILE_SIZE));
        checkSize(minFileSize > 0, MIN_FILE_SIZE, minFileSize, "greater than 0B");
        checkSize(maxFileSize > 0, MAX_FILE_SIZE, maxFileSize, "greater than 0B");
        // before the minimum, whose default follows the target, could be blamed
        checkSize(maxFileSize >= targetFileSize, MAX_FILE_SIZE, maxFileSize, "at least " + target);
        checkSize(minFileSize <= maxFileSize, MIN_FILE_SIZE, minFileSize, "at most max_file_size (%s)".formatted(ByteSize.format(maxFileSize)));
        checkSize(minFileSize <= targetFileSize, MIN_FILE_SIZE, minFileSize, "at most " + target);
        checkAtLeastOne(minInputFiles, "min_input_files");
        checkSize(maxFileGroupSize > 0, MAX_FILE_GROUP_SIZE, maxFileGroupSize, "greater than 0B");
        checkSize(maxFileGroupSize >= targetFileSize, MAX_FILE_GROUP_SIZE, maxFileGroupSize, "at least " + target);
        checkAtLeastOne(deleteFileThreshold, "delete_file_threshold");
        // worded so that NaN fails too
        if (!(deleteRatioThreshold > 0 && deleteRatioThreshold <= 1)) {
            throw new InvalidRewriteArgument("delete_ratio_threshold", String.valueOf(deleteRatioThreshold), "greater than 0 and at most 1");
        }
        maxFilesToRewrite.ifPresent(files -> checkAtLeastOne(files, "max_files_to_rewrite"));
    }

    /**
     * Applies the defaults to what the user gave: a minimum of 0.75 and a maximum of 1.8 times the target, 5 input files, groups of 100 GB
     * (or of one target, when that is more), 2 delete files, a ratio of 0.3.
     *
     * @param tableTargetFileSize bytes; what the table's {@code write.target-file-size-bytes} says, the default of {@code target_file_size}
     * @throws InvalidRewriteArgument when a value is out of its range
     */
    public static RewriteOptions create(RewriteArguments arguments, long tableTargetFileSize, int outputSpecId, boolean copyEnabled)
    {
        if (arguments.targetFileSize().isEmpty() && tableTargetFileSize < LEAST_TARGET_FILE_SIZE) {
            throw new InvalidRewriteArgument(
                    TARGET_FILE_SIZE,
                    "%s by the table property write.target-file-size-bytes".formatted(ByteSize.format(tableTargetFileSize)),
                    "at least " + ByteSize.format(LEAST_TARGET_FILE_SIZE));
        }
        long targetFileSize = arguments.targetFileSize().orElse(tableTargetFileSize);
        // refused before the defaults that are multiples of it could be blamed
        checkSize(targetFileSize >= LEAST_TARGET_FILE_SIZE, TARGET_FILE_SIZE, targetFileSize, "at least " + ByteSize.format(LEAST_TARGET_FILE_SIZE));
        return new RewriteOptions(
                targetFileSize,
                arguments.minFileSize().orElse((long) (DEFAULT_MIN_FILE_SIZE_RATIO * targetFileSize)),
                arguments.maxFileSize().orElse((long) (DEFAULT_MAX_FILE_SIZE_RATIO * targetFileSize)),
                arguments.minInputFiles().orElse(DEFAULT_MIN_INPUT_FILES),
                arguments.maxFileGroupSize().orElse(max(DEFAULT_MAX_FILE_GROUP_SIZE, targetFileSize)),
                arguments.deleteFileThreshold().orElse(DEFAULT_DELETE_FILE_THRESHOLD),
                arguments.deleteRatioThreshold().orElse(DEFAULT_DELETE_RATIO_THRESHOLD),
                arguments.rewriteAll().orElse(false),
                arguments.rewriteJobOrder().orElse(RewriteJobOrder.NONE),
                arguments.maxFilesToRewrite(),
                outputSpecId,
                copyEnabled);
    }

    /**
     * How many files rows of so many bytes become: as few as the target allows, at least 1.
     */
    public int outputFiles(long liveBytes)
    {
        return toIntExact(GroupCutter.outputFiles(liveBytes, targetFileSize));
    }

    private static void checkSize(boolean valid, String argument, long bytes, String allowedRange)
    {
        if (!valid) {
            throw new InvalidRewriteArgument(argument, ByteSize.format(bytes), allowedRange);
        }
    }

    private static void checkAtLeastOne(int value, String argument)
    {
        if (value < 1) {
            throw new InvalidRewriteArgument(argument, String.valueOf(value), "at least 1");
        }
    }
}
