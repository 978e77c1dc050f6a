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
import org.lakesteward.testing.server.ServerStartException;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A Java runtime for Spark 4.0, which runs on versions 17 to 21, while Trino 483 needs 25.
 *
 * @param home what {@code JAVA_HOME} would name
 */
record SparkJava(Path home)
{
    static final String VARIABLE = "LAKESTEWARD_SPARK_JAVA_HOME";
    private static final int OLDEST = 17;
    private static final int NEWEST = 21;

    SparkJava
    {
        requireNonNull(home, "home is null");
    }

    /**
     * The one that the environment names, else the oldest fitting one of the usual places.
     *
     * @throws ServerStartException if there is none
     */
    static SparkJava find()
    {
        Path user = Path.of(System.getProperty("user.home"));
        return find(System.getenv(), ImmutableList.of(
                Path.of("/usr/lib/jvm"),
                user.resolve(".sdkman/candidates/java"),
                user.resolve(".jdks"),
                user.resolve(".local/share/mise/installs/java"),
                Path.of("/opt/java")));
    }

    static SparkJava find(Map<String, String> environment, List<Path> places)
    {
        String named = environment.get(VARIABLE);
        if (named != null) {
            Path home = Path.of(named);
            if (!fits(home)) {
                throw new ServerStartException("%s is %s, it must be the folder of a Java runtime of version %s to %s, which Spark 4.0 needs".formatted(VARIABLE, named, OLDEST, NEWEST));
            }
            return new SparkJava(home);
        }
        return places.stream()
                .flatMap(SparkJava::entries)
                .filter(SparkJava::fits)
                .min(Comparator.<Path>comparingInt(home -> version(home).orElseThrow()).thenComparing(Comparator.naturalOrder()))
                .map(SparkJava::new)
                .orElseThrow(() -> new ServerStartException(
                        "Spark 4.0 needs Java %s to %s, and there is none in %s. On Debian: apt-get install openjdk-17-jre-headless; elsewhere, set %s to its folder".formatted(
                                OLDEST,
                                NEWEST,
                                places,
                                VARIABLE)));
    }

    private static Stream<Path> entries(Path folder)
    {
        if (!Files.isDirectory(folder)) {
            return Stream.of();
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return ImmutableList.copyOf(entries).stream();
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + folder, e);
        }
    }

    private static boolean fits(Path home)
    {
        OptionalInt version = version(home);
        return version.isPresent() && version.getAsInt() >= OLDEST && version.getAsInt() <= NEWEST && Files.isExecutable(home.resolve("bin/java"));
    }

    /** The major version that the file {@code release} of every Java runtime names */
    private static OptionalInt version(Path home)
    {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return OptionalInt.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + release, e);
        }
        String major = properties.getProperty("JAVA_VERSION", "").replace("\"", "").replaceAll("\\D.*", "");
        return major.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(major));
    }

    Path program()
    {
        return home.resolve("bin/java");
    }
}
