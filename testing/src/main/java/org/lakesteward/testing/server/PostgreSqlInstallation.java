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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * PostgreSQL's server programs, as a package of the system installed them.
 *
 * @param programs the folder that holds {@code initdb} and {@code postgres}
 */
record PostgreSqlInstallation(Path programs)
{
    /** Where Debian, Fedora, PostgreSQL's own build and Homebrew put them: a folder, and which of its entries hold a {@code bin} */
    private static final List<Place> PLACES = ImmutableList.of(
            new Place(Path.of("/usr/lib/postgresql"), "*"),
            new Place(Path.of("/usr"), "pgsql-*"),
            new Place(Path.of("/usr/local"), "pgsql"),
            new Place(Path.of("/opt/homebrew/opt"), "postgresql@*"));

    PostgreSqlInstallation
    {
        requireNonNull(programs, "programs is null");
    }

    /**
     * The newest installation of the usual places, else that of the search path.
     *
     * @throws ServerStartException if there is none
     */
    static PostgreSqlInstallation find()
    {
        return find(PLACES, System.getenv().getOrDefault("PATH", ""));
    }

    static PostgreSqlInstallation find(List<Place> places, String searchPath)
    {
        return Stream.concat(
                        places.stream().flatMap(place -> place.programFolders().stream()),
                        Splitter.on(File.pathSeparatorChar).omitEmptyStrings().splitToStream(searchPath).map(Path::of))
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")) && Files.isExecutable(folder.resolve("postgres")))
                .findFirst()
                .map(PostgreSqlInstallation::new)
                .orElseThrow(() -> new ServerStartException(
                        "PostgreSQL's server is not installed (no initdb and postgres in %s or on the search path). On Debian and Ubuntu: apt-get install postgresql".formatted(
                                places.stream().map(place -> place.folder().resolve(place.pattern()).toString()).toList())));
    }

    record Place(Path folder, String pattern)
    {
        Place
        {
            requireNonNull(folder, "folder is null");
            requireNonNull(pattern, "pattern is null");
        }

        /** Newest version first */
        List<Path> programFolders()
        {
            if (!Files.isDirectory(folder)) {
                return ImmutableList.of();
            }
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
                return ImmutableList.copyOf(entries).stream()
                        .sorted(Comparator.comparingInt(Place::version).reversed())
                        .map(entry -> entry.resolve("bin"))
                        .toList();
            }
            catch (IOException e) {
                throw new UncheckedIOException("Cannot list " + folder, e);
            }
        }

        private static int version(Path entry)
        {
            String digits = entry.getFileName().toString().replaceAll("\\D", "");
            return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
        }
    }
}
