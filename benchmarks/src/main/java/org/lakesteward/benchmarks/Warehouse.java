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
package org.lakesteward.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.base.CharMatcher.is;
import static com.google.common.base.Preconditions.checkArgument;

/**
 * The lake's files as this process sees them.
 *
 * @param folder the folder of all tables, which {@code local:///} stands for; {@code file:} locations have their full path
 */
public record Warehouse(Path folder)
{
    private static final String LOCAL = "local://";
    private static final String FILE = "file:";

    public Warehouse
    {
        folder = folder.toAbsolutePath().normalize();
    }

    /**
     * @throws IllegalArgumentException if the location is not below the folder
     */
    Path file(String location)
    {
        Path file;
        if (location.startsWith(LOCAL)) {
            file = folder.resolve(is('/').trimLeadingFrom(location.substring(LOCAL.length()))).normalize();
        }
        else {
            checkArgument(location.startsWith(FILE), "location is %s, it must begin with %s or %s", location, LOCAL, FILE);
            // engines write file:/path as well as file:///path
            file = Path.of("/" + is('/').trimLeadingFrom(location.substring(FILE.length()))).normalize();
        }
        checkArgument(file.startsWith(folder), "location is %s, it must be below %s", location, folder);
        return file;
    }

    void delete(String location)
    {
        try {
            Files.delete(file(location));
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + location, e);
        }
    }
}
