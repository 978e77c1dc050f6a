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
package org.lakesteward.planner.window;

import java.util.regex.Pattern;

/**
 * Text of a user as it may stand in a message or in a log: on one line, without characters that are not seen or that change how
 * what follows is seen (line and paragraph separators, control and format characters of Unicode).
 */
public final class OneLine
{
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Z}\\p{C}]+");

    private OneLine() {}

    /** Each run of white space and unseen characters becomes one space, none is left at the ends. */
    public static String of(String text)
    {
        return UNSEEN.matcher(text).replaceAll(" ").strip();
    }

    /** The same, cut to so many characters when it is longer, which is shown by an ellipsis. */
    public static String of(String text, int maxLength)
    {
        String line = of(text);
        if (line.codePointCount(0, line.length()) <= maxLength) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, maxLength)) + "…";
    }
}
