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
import static java.util.Objects.requireNonNull;

/**
 * The lake's files as this process sees them.
 *
 * @param folder what {@code local:///} stands for in the catalogs
 */
record Warehouse(Path folder)
{
    private static final String SCHEME = "local://";

    Warehouse
    {
        requireNonNull(folder, "folder is null");
    }

    Path file(String location)
    {
        checkArgument(location.startsWith(SCHEME), "location is %s, it must begin with %s", location, SCHEME);
        return folder.resolve(is('/').trimLeadingFrom(location.substring(SCHEME.length())));
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
