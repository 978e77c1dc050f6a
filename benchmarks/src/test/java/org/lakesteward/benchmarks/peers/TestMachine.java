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
package org.lakesteward.benchmarks.peers;

import org.testng.annotations.Test;

import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

public class TestMachine
{
    @Test
    public void testParse()
    {
        Machine machine = Machine.parse(
                """
                processor\t: 0
                model name\t: A Processor @ 2.00GHz
                processor\t: 1
                model name\t: A Processor @ 2.00GHz
                """,
                "MemTotal:       25165824 kB\nMemFree:        1 kB\n",
                "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n",
                "Linux 6.1 (amd64)",
                2);

        assertThat(machine).isEqualTo(new Machine("A Processor @ 2.00GHz", 2, OptionalLong.of(25_769_803_776L), "Debian GNU/Linux 12, Linux 6.1 (amd64)"));
        assertThat(machine.description()).isEqualTo("A Processor @ 2.00GHz, 2 cores, 24.0 GiB, Debian GNU/Linux 12, Linux 6.1 (amd64)");
    }

    @Test
    public void testSystemThatTellsNothing()
    {
        assertThat(Machine.parse("", "", "", "Mac OS X 15 (aarch64)", 8).description()).isEqualTo("unknown processor, 8 cores, Mac OS X 15 (aarch64)");
    }
}
