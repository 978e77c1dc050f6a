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
package org.lakesteward.testing.server;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import org.lakesteward.testing.server.PostgreSqlInstallation.Place;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPostgreSqlInstallation
{
    private Path folder;
    private List<Place> places;

    @BeforeMethod
    public void createFolder()
            throws IOException
    {
        folder = Files.createTempDirectory("postgresql-installation");
        places = ImmutableList.of(new Place(folder.resolve("none"), "*"), new Place(folder.resolve("usual"), "*"));
    }

    @AfterMethod(alwaysRun = true)
    public void deleteFolder()
            throws IOException
    {
        MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }

    @Test
    public void testNewestOfUsualPlaces()
            throws IOException
    {
        Path path = install("path");
        install("usual/9/bin");
        Path newest = install("usual/15/bin");
        // a client alone
        Files.createFile(Files.createDirectories(folder.resolve("usual/17/bin")).resolve("psql"));

        assertThat(PostgreSqlInstallation.find(places, path.toString()).programs()).isEqualTo(newest);
    }

    @Test
    public void testSearchPath()
            throws IOException
    {
        Path path = install("path");

        assertThat(PostgreSqlInstallation.find(places, folder.resolve("missing") + ":" + path).programs()).isEqualTo(path);
    }

    @Test
    public void testMissing()
    {
        assertThatThrownBy(() -> PostgreSqlInstallation.find(places, ""))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining(folder.resolve("usual/*").toString())
                .hasMessageContaining("apt-get install postgresql");
    }

    private Path install(String name)
            throws IOException
    {
        Path programs = Files.createDirectories(folder.resolve(name));
        for (String program : ImmutableList.of("initdb", "postgres")) {
            assertThat(Files.createFile(programs.resolve(program)).toFile().setExecutable(true)).isTrue();
        }
        return programs;
    }
}
