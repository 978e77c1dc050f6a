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
package org.lakesteward.planner.policy;

import java.util.Locale;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A pattern for one name: {@code *} stands for any number of characters, none included; every other character for itself.
 * Letters are the same in lower and upper case, as in Trino's names.
 */
public final class NameGlob
        implements Comparable<NameGlob>
{
    public static final NameGlob ANY = new NameGlob("*");

    private static final char WILDCARD = '*';

    private final String text;
    private final boolean exact;
    private final long literals;

    /**
     * @param text not empty
     */
    public NameGlob(String text)
    {
        requireNonNull(text, "text is null");
        checkArgument(!text.isEmpty(), "text is empty");
        this.text = text.toLowerCase(Locale.ENGLISH).replaceAll("\\*+", "*");
        this.literals = this.text.chars().filter(character -> character != WILDCARD).count();
        this.exact = literals == this.text.length();
    }

    public boolean matches(String name)
    {
        return matches(text, name.toLowerCase(Locale.ENGLISH));
    }

    /** Goes back to the last wildcard only, so that the time is bounded by the product of the lengths. */
    private static boolean matches(String glob, String name)
    {
        int position = 0;
        int start = 0;
        int wildcard = -1;
        for (int i = 0; i < name.length(); ) {
            if (position < glob.length() && glob.charAt(position) == WILDCARD) {
                wildcard = position++;
                start = i;
            }
            else if (position < glob.length() && glob.charAt(position) == name.charAt(i)) {
                position++;
                i++;
            }
            else if (wildcard >= 0) {
                position = wildcard + 1;
                i = ++start;
            }
            else {
                return false;
            }
        }
        // no two wildcards stand side by side
        return position == glob.length() || position == glob.length() - 1 && glob.charAt(position) == WILDCARD;
    }

    /** Whether some name matches both. */
    public boolean intersects(NameGlob other)
    {
        // reached[j]: the first i characters of this and the first j characters of the other have a name in common
        String left = text;
        String right = other.text;
        boolean[] reached = new boolean[right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            boolean[] next = new boolean[right.length() + 1];
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 && j == 0) {
                    next[j] = true;
                    continue;
                }
                boolean leftWild = i > 0 && left.charAt(i - 1) == WILDCARD;
                boolean rightWild = j > 0 && right.charAt(j - 1) == WILDCARD;
                boolean same = i > 0 && j > 0 && left.charAt(i - 1) == right.charAt(j - 1);
                next[j] = same && reached[j - 1]
                        || leftWild && (reached[j] || j > 0 && next[j - 1])
                        || rightWild && (next[j - 1] || i > 0 && reached[j]);
            }
            reached = next;
        }
        return reached[right.length()];
    }

    /**
     * How specific a pattern is: a whole name is more specific than any pattern with a wildcard, and among the latter the one with more
     * characters that stand for themselves. Patterns that are equally specific compare as 0 whether or not they are equal.
     */
    @Override
    public int compareTo(NameGlob other)
    {
        if (exact || other.exact) {
            return Boolean.compare(exact, other.exact);
        }
        return Long.compare(literals, other.literals);
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof NameGlob other && text.equals(other.text);
    }

    @Override
    public int hashCode()
    {
        return text.hashCode();
    }

    /** The pattern, in lower case. */
    @Override
    public String toString()
    {
        return text;
    }
}
