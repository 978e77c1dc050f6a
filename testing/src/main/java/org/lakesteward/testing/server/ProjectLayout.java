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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Where the parts of a built checkout lie.
 *
 * @param root the folder that holds the parent {@code pom.xml}, absolute
 */
public record ProjectLayout(Path root)
{
    private static final String ROOT_PROPERTY = "lakesteward.root";

    public ProjectLayout
    {
        requireNonNull(root, "root is null");
        root = root.toAbsolutePath().normalize();
    }

    /**
     * The checkout that started this process, named by the system property {@code lakesteward.root}.
     *
     * @throws IllegalStateException if the property is not set
     */
    public static ProjectLayout current()
    {
        String root = System.getProperty(ROOT_PROPERTY);
        if (root == null) {
            throw new IllegalStateException("System property %s is not set: it names the folder of the checkout".formatted(ROOT_PROPERTY));
        }
        return new ProjectLayout(Path.of(root));
    }

    public Path etc()
    {
        return root.resolve("etc");
    }

    /**
     * The plugin with the catalogs as it is handed to operators.
     *
     * @throws ServerStartException if it has not been built
     */
    public Path pluginZip()
    {
        return built(root.resolve("plugin-maintenance/target/plugin-maintenance-1-SNAPSHOT.zip"));
    }

    /**
     * The plugin with the access control as it is handed to operators.
     *
     * @throws ServerStartException if it has not been built
     */
    public Path accessControlPluginZip()
    {
        return built(root.resolve("plugin-access-control/target/plugin-access-control-1-SNAPSHOT.zip"));
    }

    /**
     * Class path of a server process, its main class first.
     *
     * @throws ServerStartException if it has not been built
     */
    public List<Path> serverClassPath()
    {
        return ImmutableList.<Path>builder()
                .add(built(root.resolve("testing/trino-server/target/classes")))
                .addAll(classPath("testing/trino-server/target/classpath"))
                .build();
    }

    /**
     * Jars of Trino's TPC-H plugin.
     *
     * @throws ServerStartException if they have not been resolved by a build
     */
    public List<Path> tpchPluginJars()
    {
        return classPath("testing/trino-tpch/target/classpath");
    }

    /**
     * Where plugin folders are unpacked, shared by all clusters of this checkout.
     */
    public Path pluginFolders()
    {
        return root.resolve("testing/target/plugins");
    }

    private List<Path> classPath(String file)
    {
        try {
            return Splitter.on(System.getProperty("path.separator")).omitEmptyStrings().trimResults()
                    .splitToStream(Files.readString(built(root.resolve(file))))
                    .map(Path::of)
                    .collect(toImmutableList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path built(Path path)
    {
        if (!Files.exists(path)) {
            throw new ServerStartException("%s is missing: build it with ./mvnw package -DskipTests".formatted(path));
        }
        return path;
    }
}
