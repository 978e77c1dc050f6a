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
package org.lakesteward.access.node;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Matcher.quoteReplacement;

/**
 * What the server's own configuration says, read the way that Trino does (airlift ConfigurationLoader): the file that the system
 * property {@code config} names, and system properties on top. References to environment
 * variables ({@code ${ENV:NAME}}) are resolved, those to other secrets are not.
 *
 * @param hasFile whether there is a file at all; a server of a test has none
 */
public record ServerProperties(boolean hasFile, Map<String, String> values)
{
    private static final int DEFAULT_HTTP_PORT = 8080;
    private static final Pattern ENVIRONMENT_VARIABLE = Pattern.compile("\\$\\{ENV:(\\w+)}");

    public ServerProperties
    {
        values = ImmutableMap.copyOf(values);
    }

    /**
     * @throws UncheckedIOException when the file is there and cannot be read
     */
    public static ServerProperties load()
    {
        return load(Optional.ofNullable(System.getProperty("config")).map(Path::of), Maps.fromProperties(System.getProperties()), System.getenv());
    }

    /** @param configFile empty for {@code etc/config.properties}, if that is there */
    static ServerProperties load(Optional<Path> configFile, Map<String, String> systemProperties, Map<String, String> environment)
    {
        ImmutableMap.Builder<String, String> values = ImmutableMap.builder();
        Path file = configFile.orElse(Path.of("etc/config.properties"));
        boolean hasFile = configFile.isPresent() || Files.exists(file);
        if (hasFile) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
                properties.load(reader);
            }
            catch (IOException e) {
                throw new UncheckedIOException("The server's configuration %s cannot be read".formatted(file.toAbsolutePath()), e);
            }
            Maps.fromProperties(properties).forEach((name, value) -> values.put(name, resolve(value, environment)));
        }
        values.putAll(systemProperties);
        return new ServerProperties(hasFile, values.buildKeepingLast());
    }

    private static String resolve(String value, Map<String, String> environment)
    {
        // a variable that is not set stays as it is written: Trino itself refuses to start with it
        return ENVIRONMENT_VARIABLE.matcher(value).replaceAll(match -> quoteReplacement(environment.getOrDefault(match.group(1), match.group())));
    }

    /** Trino loads access control on workers too. */
    public boolean isCoordinator()
    {
        return !"false".equalsIgnoreCase(values.getOrDefault("coordinator", "true").strip());
    }

    /**
     * Where the server listens for plain HTTP; empty when it does not, or when that is unknown.
     */
    public Optional<Integer> httpPort()
    {
        if (!hasFile || "false".equalsIgnoreCase(values.getOrDefault("http-server.http.enabled", "true").strip())) {
            return Optional.empty();
        }
        String port = values.get("http-server.http.port");
        if (port == null) {
            return Optional.of(DEFAULT_HTTP_PORT);
        }
        try {
            return Optional.of(Integer.valueOf(port.strip())).filter(number -> number > 0);
        }
        catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public Optional<String> nodeId()
    {
        return Optional.ofNullable(values.get("node.id")).map(String::strip).filter(id -> !id.isEmpty());
    }
}
