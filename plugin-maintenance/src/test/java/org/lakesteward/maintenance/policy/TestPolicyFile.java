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
package org.lakesteward.maintenance.policy;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.lakesteward.maintenance.policy.PolicyFile.State;
import org.lakesteward.planner.policy.OperatorPolicies;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

// one folder and one clock for each test
@Test(singleThreaded = true)
public class TestPolicyFile
{
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private Path folder;
    private Path path;
    private Instant now;
    private PolicyFile file;

    @BeforeMethod
    public void setUp()
            throws IOException
    {
        folder = Files.createTempDirectory("policies");
        path = folder.resolve("policies.json");
        now = START;
        file = new PolicyFile(new PolicyConfig().setPolicyFile(path).setPolicyRefreshPeriod(new Duration(30, SECONDS)), () -> now);
    }

    @AfterMethod(alwaysRun = true)
    public void tearDown()
            throws IOException
    {
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    @Test
    public void testWithoutFile()
    {
        PolicyFile none = new PolicyFile(new PolicyConfig(), () -> now);
        assertThat(none.state()).isEqualTo(new State(OperatorPolicies.NONE, START));
        now = START.plusSeconds(60);
        assertThat(none.state()).isEqualTo(new State(OperatorPolicies.NONE, START));
    }

    @Test
    public void testChangeIsSeenAfterTheRefreshPeriod()
            throws IOException
    {
        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        assertThat(file.state()).isEqualTo(new State(priority("3"), START));

        write("{\"defaults\": {\"maintenance.priority\": 4}}");
        now = START.plusSeconds(29);
        assertThat(file.state()).isEqualTo(new State(priority("3"), START));
        now = START.plusSeconds(30);
        assertThat(file.state()).isEqualTo(new State(priority("4"), now));
        assertThat(file.policies()).isEqualTo(priority("4"));
    }

    /** Same size and same time of change, as after a copy that keeps times. */
    @Test
    public void testChangeIsSeenByTheContent()
            throws IOException
    {
        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        FileTime time = Files.getLastModifiedTime(path);
        assertThat(file.policies()).isEqualTo(priority("3"));

        write("{\"defaults\": {\"maintenance.priority\": 4}}");
        Files.setLastModifiedTime(path, time);
        now = START.plusSeconds(30);
        assertThat(file.policies()).isEqualTo(priority("4"));
    }

    @Test
    public void testBrokenFileDoesNotFallBack()
            throws IOException
    {
        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        assertThat(file.policies()).isEqualTo(priority("3"));

        write("{\"defaults\": ");
        now = START.plusSeconds(30);
        State broken = file.state();
        assertThat(broken.policies().failure().orElseThrow()).startsWith(path + ": line 1, column ").contains(" is no JSON: ");
        assertThat(broken.since()).isEqualTo(now);

        // its age is that of the same failure
        now = START.plusSeconds(90);
        assertThat(file.state()).isEqualTo(broken);

        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        now = START.plusSeconds(120);
        assertThat(file.state()).isEqualTo(new State(priority("3"), now));
    }

    @Test
    public void testMissingFile()
            throws IOException
    {
        assertThat(file.state()).isEqualTo(new State(OperatorPolicies.unreadable(path + ": it does not exist"), START));
        write("{}");
        now = START.plusSeconds(30);
        assertThat(file.state()).isEqualTo(new State(OperatorPolicies.NONE, now));
        Files.delete(path);
        now = START.plusSeconds(60);
        assertThat(file.policies()).isEqualTo(OperatorPolicies.unreadable(path + ": it does not exist"));
    }

    @Test
    public void testFolderInstead()
            throws IOException
    {
        Files.createDirectory(path);
        assertThat(file.policies().failure().orElseThrow()).startsWith(path + ": it cannot be read: ");
    }

    @Test
    public void testClockThatWasSetBack()
            throws IOException
    {
        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        assertThat(file.policies()).isEqualTo(priority("3"));
        write("{\"defaults\": {\"maintenance.priority\": 4}}");
        now = START.minusSeconds(86_400);
        assertThat(file.policies()).isEqualTo(priority("4"));
    }

    /** The same words in other clothes are no change. */
    @Test
    public void testRewrittenFile()
            throws IOException
    {
        write("{\"defaults\": {\"maintenance.priority\": 3}}");
        State state = file.state();
        write("{\"patterns\": [], \"defaults\": {\n\"maintenance.priority\": \"3\"}}");
        now = START.plusSeconds(30);
        assertThat(file.state()).isEqualTo(state);
    }

    private void write(String json)
            throws IOException
    {
        Files.writeString(path, json);
    }

    private static OperatorPolicies priority(String value)
    {
        return new OperatorPolicies(ImmutableMap.of("maintenance.priority", value), List.of());
    }
}
