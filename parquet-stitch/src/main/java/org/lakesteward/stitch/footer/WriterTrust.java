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
package org.lakesteward.stitch.footer;

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose files need no work-arounds in readers. The output has one writer's name for pages of many, so that only such files can
 * be stitched. What readers watch for by name: statistics that are wrong (PARQUET-251, PARQUET-297), DELTA_BYTE_ARRAY pages
 * that need the page before them (PARQUET-246), chunk sizes without the dictionary's header (PARQUET-816). A missing or
 * unreadable name makes readers expect the worst.
 */
public final class WriterTrust
{
    /** The name in files that are stitched. In the form of parquet-mr's VersionParser, without which readers drop statistics. */
    public static final String OWN_CREATED_BY = "lakesteward version 1.0.0 (build n/a)";

    /** Applications and the first version (major, minor) of each that has none of the defects above. */
    private static final Map<String, int[]> FIRST_TRUSTED_VERSIONS = ImmutableMap.of(
            "lakesteward", new int[] {0, 0},
            "parquet-mr-trino", new int[] {0, 0},
            "parquet-mr", new int[] {1, 10},
            "parquet-cpp-arrow", new int[] {6, 0});

    private static final Pattern CREATED_BY = Pattern.compile("(?<application>\\S+)\\s+version\\s+(?<major>\\d+)(?:\\.(?<minor>\\d+))?.*");

    private WriterTrust() {}

    /**
     * @param createdBy as the footer has it, may be null
     */
    public static boolean isTrusted(String createdBy)
    {
        if (createdBy == null) {
            return false;
        }
        Matcher matcher = CREATED_BY.matcher(createdBy);
        if (!matcher.matches()) {
            return false;
        }
        int[] first = FIRST_TRUSTED_VERSIONS.get(matcher.group("application"));
        if (first == null) {
            return false;
        }
        int major = number(matcher.group("major"));
        int minor = matcher.group("minor") == null ? 0 : number(matcher.group("minor"));
        return major > first[0] || major == first[0] && minor >= first[1];
    }

    private static int number(String digits)
    {
        return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
