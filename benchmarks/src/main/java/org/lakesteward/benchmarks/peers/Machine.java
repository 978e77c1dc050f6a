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

import com.google.common.base.Splitter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.base.CharMatcher.is;
import static java.util.Objects.requireNonNull;

/**
 * What the figures were measured on.
 *
 * @param processor the processor's name, as far as the system tells it
 * @param cores processors that a Java process may use
 * @param memoryBytes of the whole machine, if the system tells it
 */
record Machine(String processor, int cores, OptionalLong memoryBytes, String operatingSystem)
{
    Machine
    {
        requireNonNull(processor, "processor is null");
        requireNonNull(memoryBytes, "memoryBytes is null");
        requireNonNull(operatingSystem, "operatingSystem is null");
    }

    static Machine current()
    {
        return parse(
                read("/proc/cpuinfo"),
                read("/proc/meminfo"),
                read("/etc/os-release"),
                "%s %s (%s)".formatted(System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors());
    }

    /**
     * @param cpuInfo text of {@code /proc/cpuinfo}, empty where there is none
     * @param memoryInfo text of {@code /proc/meminfo}, empty where there is none
     * @param osRelease text of {@code /etc/os-release}, empty where there is none
     * @param kernel name and version of the system
     */
    static Machine parse(String cpuInfo, String memoryInfo, String osRelease, String kernel, int cores)
    {
        return new Machine(
                value(cpuInfo, "model name", ':').orElse("unknown processor"),
                cores,
                value(memoryInfo, "MemTotal", ':')
                        .map(size -> OptionalLong.of(1024 * Long.parseLong(Splitter.on(' ').splitToList(size).getFirst())))
                        .orElse(OptionalLong.empty()),
                value(osRelease, "PRETTY_NAME", '=').map(name -> "%s, %s".formatted(is('"').trimFrom(name), kernel)).orElse(kernel));
    }

    private static Optional<String> value(String text, String name, char separator)
    {
        return text.lines()
                .filter(line -> line.indexOf(separator) >= 0 && line.substring(0, line.indexOf(separator)).trim().equals(name))
                .map(line -> line.substring(line.indexOf(separator) + 1).trim())
                .findFirst();
    }

    /**
     * How many threads wanted to run on average over the last minute, or empty where the system does not tell. A figure taken while
     * others worked on the same machine is not worth much.
     */
    static Optional<String> load()
    {
        String text = read("/proc/loadavg");
        return text.isEmpty() ? Optional.empty() : Optional.of(text.substring(0, text.indexOf(' ')));
    }

    private static String read(String file)
    {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            return "";
        }
        try {
            return Files.readString(path);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    String description()
    {
        return "%s, %s cores%s, %s".formatted(
                processor,
                cores,
                memoryBytes.isPresent() ? ", %.1f GiB".formatted(memoryBytes.getAsLong() / (double) (1 << 30)) : "",
                operatingSystem);
    }
}
