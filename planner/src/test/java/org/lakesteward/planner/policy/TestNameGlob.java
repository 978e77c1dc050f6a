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

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestNameGlob
{
    @DataProvider
    public static Object[][] matches()
    {
        return new Object[][] {
                {"orders", "orders", true},
                {"Orders", "ORDERS", true},
                {"orders", "orders_2", false},
                {"orders", "order", false},
                {"*", "a", true},
                {"**", "a", true},
                {"sales_*", "sales_eu", true},
                {"sales_*", "sales_", true},
                {"sales_*", "sales", false},
                {"*_log", "web_log", true},
                {"*_log", "web_log_old", false},
                {"a*b*c", "a-b-b-c", true},
                {"a*b*c", "a-c-b", false},
                {"a*ab", "aab", true},
                {"a*ab", "ab", false},
                // nothing but the star is special
                {"a.b", "axb", false},
                {"a?b", "axb", false},
                {"[a]", "a", false},
                {"a.b", "a.b", true},
        };
    }

    @Test(dataProvider = "matches")
    public void testMatches(String glob, String name, boolean matches)
    {
        assertThat(new NameGlob(glob).matches(name)).as("%s of %s", name, glob).isEqualTo(matches);
    }

    @Test
    public void testEmptyIsRefused()
    {
        assertThatThrownBy(() -> new NameGlob("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void testMatchesAsRegularExpression()
    {
        Random random = new Random(6_013);
        int matches = 0;
        for (int i = 0; i < 20_000; i++) {
            String glob = text(random, "ab*", 1, 6);
            String name = text(random, "ab", 1, 7);
            boolean expected = Pattern.matches(glob.replace("*", ".*"), name);
            matches += expected ? 1 : 0;
            assertThat(new NameGlob(glob).matches(name)).as("%s of %s, run %s of seed 6013", name, glob, i).isEqualTo(expected);
        }
        assertThat(matches).isBetween(2_000, 18_000);
    }

    /** Two patterns have a name in common exactly when one of all names up to a length that suffices is in both. */
    @Test
    public void testIntersectsAsNamesSay()
    {
        List<String> names = new ArrayList<>();
        for (int length = 1; length <= 8; length++) {
            for (int bits = 0; bits < 1 << length; bits++) {
                String binary = Integer.toBinaryString(bits | 1 << length).substring(1);
                names.add(binary.replace('0', 'a').replace('1', 'b'));
            }
        }
        Random random = new Random(6_014);
        int intersecting = 0;
        for (int i = 0; i < 2_000; i++) {
            // without their stars, both fit into the longest name
            NameGlob left = new NameGlob(text(random, "ab*", 1, 4));
            NameGlob right = new NameGlob(text(random, "ab*", 1, 4));
            boolean expected = names.stream().anyMatch(name -> left.matches(name) && right.matches(name));
            intersecting += expected ? 1 : 0;
            assertThat(left.intersects(right)).as("%s and %s, run %s of seed 6014", left, right, i).isEqualTo(expected);
            assertThat(right.intersects(left)).as("%s and %s, run %s of seed 6014", right, left, i).isEqualTo(expected);
        }
        assertThat(intersecting).isBetween(200, 1_800);
    }

    private static String text(Random random, String alphabet, int least, int most)
    {
        return random.ints(random.nextInt(least, most + 1), 0, alphabet.length())
                .mapToObj(index -> alphabet.substring(index, index + 1))
                .collect(joining());
    }

    @Test
    public void testSpecificity()
    {
        List<String> sorted = List.of("*", "a*", "*bc", "a*cd", "*abcdefghijklm", "a");
        for (int i = 0; i < sorted.size(); i++) {
            for (int j = 0; j < sorted.size(); j++) {
                assertThat(Integer.signum(new NameGlob(sorted.get(i)).compareTo(new NameGlob(sorted.get(j)))))
                        .as("%s to %s", sorted.get(i), sorted.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
        assertThat(new NameGlob("a*")).isEqualByComparingTo(new NameGlob("*b"));
        assertThat(new NameGlob("a")).isEqualByComparingTo(new NameGlob("abc"));
    }
}
