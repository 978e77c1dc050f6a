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
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A configuration file in Trino's format, kept line by line so that the copy a server runs with reads like its original.
 * Immutable.
 *
 * @param lines the file's lines, comments included
 */
record PropertiesFile(List<String> lines)
{
    PropertiesFile
    {
        lines = ImmutableList.copyOf(lines);
    }

    static PropertiesFile read(Path file)
    {
        try {
            return new PropertiesFile(Files.readAllLines(file));
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot read configuration file " + file, e);
        }
    }

    static PropertiesFile of(Map<String, String> properties)
    {
        return new PropertiesFile(ImmutableList.of()).with(properties);
    }

    /**
     * The file with these properties set: a property that it has gets the new value in its place, a new one goes to the end.
     */
    PropertiesFile with(Map<String, String> properties)
    {
        ImmutableList.Builder<String> result = ImmutableList.builder();
        Set<String> seen = new HashSet<>();
        for (String line : lines) {
            String key = key(line);
            if (properties.containsKey(key)) {
                seen.add(key);
                result.add(key + "=" + properties.get(key));
            }
            else {
                result.add(line);
            }
        }
        properties.forEach((key, value) -> {
            if (!seen.contains(key)) {
                result.add(key + "=" + value);
            }
        });
        return new PropertiesFile(result.build());
    }

    Map<String, String> properties()
    {
        ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
        for (String line : lines) {
            String key = key(line);
            if (!key.isEmpty()) {
                properties.put(key, line.substring(line.indexOf('=') + 1).trim());
            }
        }
        return properties.buildOrThrow();
    }

    void write(Path file)
    {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot write configuration file " + file, e);
        }
    }

    private static String key(String line)
    {
        int separator = line.indexOf('=');
        if (line.startsWith("#") || separator < 0) {
            return "";
        }
        return line.substring(0, separator).trim();
    }
}
