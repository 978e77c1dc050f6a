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
package org.lakesteward.stitch;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How stitching goes about. Sizes are in bytes.
 *
 * @param targetRowGroupSize compressed size at which a row group is ended, at least 1
 * @param targetPageSize uncompressed size at which a page made of several is ended, at least 1
 * @param targetPageValues values at which such a page is ended, at least 1
 * @param smallPageValues pages of fewer values are merged where their encoding allows it (dictionary, PLAIN,
 *         DELTA_LENGTH_BYTE_ARRAY): many small pages are slow to read, up to three times as slow at 1,000 values a page, but
 *         merging them means to compress them again, which takes about three times the CPU of copying; 0 to copy whatever can be copied
 * @param targetDictionarySize united dictionaries up to this size are never given up
 * @param maxDictionarySize united dictionaries never grow beyond this size, or that of one input's own if it is larger
 * @param maxPageSize files with larger pages are encoded instead
 * @param maxPageValues files with pages of more values are encoded instead
 * @param readSize bytes that are read from an input at once, so that files up to this size cost one read
 * @param minSplitDistance least distance of two split offsets
 * @param verify whether checksums of all values are taken from the inputs, for {@link StitchVerification}
 */
public record StitchOptions(
        long targetRowGroupSize,
        int targetPageSize,
        int targetPageValues,
        int smallPageValues,
        int targetDictionarySize,
        int maxDictionarySize,
        int maxPageSize,
        int maxPageValues,
        int readSize,
        long minSplitDistance,
        boolean verify)
{
    /** Row groups as Trino's writer makes them, pages as parquet-mr does, everything verified. */
    public static final StitchOptions DEFAULTS = new StitchOptions(
            128L << 20,
            1 << 20,
            20_000,
            8_000,
            1 << 20,
            16 << 20,
            64 << 20,
            1 << 24,
            8 << 20,
            64L << 20,
            true);

    public StitchOptions
    {
        checkArgument(targetRowGroupSize > 0, "targetRowGroupSize is %s, must be at least 1", targetRowGroupSize);
        checkArgument(targetPageSize > 0, "targetPageSize is %s, must be at least 1", targetPageSize);
        checkArgument(targetPageValues > 0, "targetPageValues is %s, must be at least 1", targetPageValues);
        checkArgument(smallPageValues >= 0, "smallPageValues is %s, must be at least 0", smallPageValues);
        checkArgument(targetDictionarySize >= 0 && targetDictionarySize <= maxDictionarySize, "targetDictionarySize is %s, must be between 0 and maxDictionarySize (%s)", targetDictionarySize, maxDictionarySize);
        checkArgument(maxDictionarySize <= 1 << 30, "maxDictionarySize is %s, must be at most %s", maxDictionarySize, 1 << 30);
        checkArgument(maxPageSize > 0 && maxPageSize <= 1 << 30, "maxPageSize is %s, must be between 1 and %s", maxPageSize, 1 << 30);
        checkArgument(maxPageValues > 0 && maxPageValues <= 1 << 28, "maxPageValues is %s, must be between 1 and %s", maxPageValues, 1 << 28);
        checkArgument(readSize > 0 && readSize <= 1 << 30, "readSize is %s, must be between 1 and %s", readSize, 1 << 30);
        checkArgument(minSplitDistance >= 0, "minSplitDistance is %s, must be at least 0", minSplitDistance);
    }

    public StitchOptions withTargetRowGroupSize(long size)
    {
        return new StitchOptions(size, targetPageSize, targetPageValues, smallPageValues, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, readSize, minSplitDistance, verify);
    }

    public StitchOptions withTargetPage(int size, int values)
    {
        return new StitchOptions(targetRowGroupSize, size, values, smallPageValues, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, readSize, minSplitDistance, verify);
    }

    public StitchOptions withSmallPageValues(int values)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, values, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, readSize, minSplitDistance, verify);
    }

    public StitchOptions withDictionarySizes(int target, int max)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, smallPageValues, target, max, maxPageSize, maxPageValues, readSize, minSplitDistance, verify);
    }

    public StitchOptions withMaxPage(int size, int values)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, smallPageValues, targetDictionarySize, maxDictionarySize, size, values, readSize, minSplitDistance, verify);
    }

    public StitchOptions withReadSize(int size)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, smallPageValues, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, size, minSplitDistance, verify);
    }

    public StitchOptions withMinSplitDistance(long distance)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, smallPageValues, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, readSize, distance, verify);
    }

    public StitchOptions withVerify(boolean verified)
    {
        return new StitchOptions(targetRowGroupSize, targetPageSize, targetPageValues, smallPageValues, targetDictionarySize, maxDictionarySize, maxPageSize, maxPageValues, readSize, minSplitDistance, verified);
    }
}
