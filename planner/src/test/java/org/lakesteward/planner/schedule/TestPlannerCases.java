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
package org.lakesteward.planner.schedule;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans that are judged by eye: see the text files in the resources, and {@link PlannerCase} for their format.
 * {@code -Dplanner.cases=true} writes what the planner does now into the files, to be reviewed as a change like any other.
 */
public class TestPlannerCases
{
    private static final boolean REWRITE = Boolean.getBoolean("planner.cases");
    private static final Path FOLDER = Path.of(System.getProperty("basedir", ""))
            .resolve("src/test/resources")
            .resolve(TestPlannerCases.class.getPackageName().replace('.', '/'));

    @DataProvider
    public static Iterator<Object[]> cases()
            throws IOException
    {
        List<Object[]> cases = new ArrayList<>();
        for (Path file : files()) {
            for (PlannerCase plannerCase : PlannerCase.read(Files.readAllLines(file))) {
                cases.add(new Object[] {file.getFileName().toString(), plannerCase});
            }
        }
        return cases.iterator();
    }

    @Test(dataProvider = "cases")
    public void testCase(String file, PlannerCase plannerCase)
    {
        if (REWRITE) {
            // the files are written as a whole, below
            return;
        }
        assertThat(plannerCase.run())
                .as("%s: %s", file, plannerCase.title())
                .isEqualTo(plannerCase.expected());
    }

    @Test
    public void testFilesAreInTheirWrittenForm()
            throws IOException
    {
        assertThat(files()).isNotEmpty();
        for (Path file : files()) {
            List<String> lines = new ArrayList<>();
            for (PlannerCase plannerCase : PlannerCase.read(Files.readAllLines(file))) {
                if (!lines.isEmpty()) {
                    lines.add("");
                }
                lines.addAll(plannerCase.write(REWRITE ? plannerCase.run() : plannerCase.expected()));
            }
            if (REWRITE) {
                Files.write(file, lines);
            }
            assertThat(Files.readAllLines(file)).as(file.toString()).isEqualTo(lines);
        }
    }

    private static List<Path> files()
            throws IOException
    {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
        }
    }
}
