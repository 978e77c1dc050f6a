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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import org.lakesteward.testing.server.ServerStartException;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.base.Verify.verify;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestSparkJava
{
    private Path folder;

    @BeforeMethod
    public void setUp()
            throws IOException
    {
        folder = Files.createTempDirectory("lakesteward-spark-java-");
    }

    @AfterMethod(alwaysRun = true)
    public void tearDown()
            throws IOException
    {
        MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }

    @Test
    public void testOldestThatFits()
            throws IOException
    {
        install("a-25", "25.0.1");
        install("b-21", "21.0.4");
        Path expected = install("c-17", "17.0.12");
        install("d-11", "11.0.2");
        install("e-8", "1.8.0_402");

        assertThat(SparkJava.find(ImmutableMap.of(), ImmutableList.of(folder.resolve("missing"), folder))).isEqualTo(new SparkJava(expected));
    }

    @Test
    public void testNone()
            throws IOException
    {
        install("a-25", "25");

        assertThatThrownBy(() -> SparkJava.find(ImmutableMap.of(), ImmutableList.of(folder)))
                .isInstanceOf(ServerStartException.class)
                .hasMessageStartingWith("Spark 4.0 needs Java 17 to 21, and there is none in")
                .hasMessageContaining("LAKESTEWARD_SPARK_JAVA_HOME");
    }

    @Test
    public void testNamed()
            throws IOException
    {
        install("a-17", "17");
        Path named = install("b-21", "21");
        Path tooNew = install("c-25", "25");

        assertThat(SparkJava.find(ImmutableMap.of("LAKESTEWARD_SPARK_JAVA_HOME", named.toString()), ImmutableList.of(folder))).isEqualTo(new SparkJava(named));
        assertThatThrownBy(() -> SparkJava.find(ImmutableMap.of("LAKESTEWARD_SPARK_JAVA_HOME", tooNew.toString()), ImmutableList.of(folder)))
                .isInstanceOf(ServerStartException.class)
                .hasMessageStartingWith("LAKESTEWARD_SPARK_JAVA_HOME is " + tooNew);
    }

    private Path install(String name, String version)
            throws IOException
    {
        Path home = folder.resolve(name);
        Path program = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(program, "");
        verify(program.toFile().setExecutable(true), "cannot make %s executable", program);
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"%s\"\n".formatted(version));
        return home;
    }
}
