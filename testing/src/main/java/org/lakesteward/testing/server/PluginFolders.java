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

import com.google.common.collect.ImmutableSet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * Makes the folder that a server's {@code plugin.dir} names: our plugin from its zip, Trino's own Iceberg plugin from the
 * same jars, and the TPC-H plugin. What is already in place is left as it is, and a file is only ever replaced by a move,
 * so running servers keep theirs.
 */
final class PluginFolders
{
    private static final String LAKESTEWARD = "lakesteward";
    private static final String ACCESS_CONTROL = "lakesteward-access-control";
    private static final String ICEBERG = "iceberg";
    private static final String TPCH = "tpch";
    private static final String SERVICE_FILE = "META-INF/services/io.trino.spi.Plugin";

    private final ProjectLayout layout;
    private final Path folder;

    PluginFolders(ProjectLayout layout)
    {
        this.layout = requireNonNull(layout, "layout is null");
        this.folder = layout.pluginFolders();
    }

    /**
     * Makes the folder or brings it up to date.
     *
     * @param jdbcDriver the jar of the JDBC driver of the lake's catalog, which operators add to the plugin folder themselves
     * @return the folder
     */
    Path prepare(Path jdbcDriver)
    {
        requireNonNull(jdbcDriver, "jdbcDriver is null");
        try {
            Files.createDirectories(folder);
            // beside the folder, not in it: the server takes every entry for a plugin
            try (FileChannel channel = FileChannel.open(folder.resolveSibling("plugins.lock"), CREATE, WRITE);
                    FileLock _ = channel.lock()) {
                unpackLakesteward(jdbcDriver);
                unpackAccessControl();
                assembleIceberg();
                assembleTpch();
            }
            return folder;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unpackLakesteward(Path jdbcDriver)
            throws IOException
    {
        Path target = Files.createDirectories(folder.resolve(LAKESTEWARD));
        ImmutableSet.Builder<String> names = ImmutableSet.builder();
        names.addAll(unpack(layout.pluginZip(), target));
        names.add(jdbcDriver.getFileName().toString());
        link(jdbcDriver, target.resolve(jdbcDriver.getFileName()));
        removeOthers(target, names.build());
    }

    private void unpackAccessControl()
            throws IOException
    {
        Path target = Files.createDirectories(folder.resolve(ACCESS_CONTROL));
        removeOthers(target, unpack(layout.accessControlPluginZip(), target));
    }

    private static Set<String> unpack(Path plugin, Path target)
            throws IOException
    {
        ImmutableSet.Builder<String> names = ImmutableSet.builder();
        try (ZipFile zip = new ZipFile(plugin.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (entry.isDirectory()) {
                    continue;
                }
                String name = Path.of(entry.getName()).getFileName().toString();
                names.add(name);
                unpack(zip, entry, target.resolve(name));
            }
        }
        return names.build();
    }

    private static void unpack(ZipFile zip, ZipEntry entry, Path target)
            throws IOException
    {
        if (Files.exists(target) && Files.size(target) == entry.getSize() && (!isOurs(target) || checksum(target) == entry.getCrc())) {
            return;
        }
        Path temporary = target.resolveSibling(target.getFileName() + ".new");
        try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, temporary, REPLACE_EXISTING);
        }
        Files.move(temporary, target, ATOMIC_MOVE);
    }

    private void assembleIceberg()
            throws IOException
    {
        Path target = Files.createDirectories(folder.resolve(ICEBERG));
        ImmutableSet.Builder<String> names = ImmutableSet.builder();
        try (Stream<Path> jars = Files.list(folder.resolve(LAKESTEWARD))) {
            for (Path jar : jars.filter(jar -> !isOurs(jar)).toList()) {
                names.add(jar.getFileName().toString());
                link(jar, target.resolve(jar.getFileName()));
            }
        }
        names.add(writeServiceJar(target, "io.trino.plugin.iceberg.IcebergPlugin"));
        removeOthers(target, names.build());
    }

    private void assembleTpch()
            throws IOException
    {
        Path target = Files.createDirectories(folder.resolve(TPCH));
        ImmutableSet.Builder<String> names = ImmutableSet.builder();
        for (Path jar : layout.tpchPluginJars()) {
            names.add(jar.getFileName().toString());
            link(jar, target.resolve(jar.getFileName()));
        }
        names.add(writeServiceJar(target, "io.trino.plugin.tpch.TpchPlugin"));
        removeOthers(target, names.build());
    }

    /**
     * The jars that Trino publishes lack the service file by which a server finds a plugin in its folder.
     */
    private static String writeServiceJar(Path target, String pluginClass)
            throws IOException
    {
        Path jar = target.resolve("services.jar");
        if (!Files.exists(jar)) {
            Path temporary = target.resolve("services.jar.new");
            try (OutputStream out = Files.newOutputStream(temporary);
                    ZipOutputStream zip = new ZipOutputStream(out)) {
                zip.putNextEntry(new ZipEntry(SERVICE_FILE));
                zip.write(pluginClass.getBytes(UTF_8));
                zip.closeEntry();
            }
            Files.move(temporary, jar, ATOMIC_MOVE);
        }
        return jar.getFileName().toString();
    }

    private static boolean isOurs(Path jar)
    {
        String name = jar.getFileName().toString();
        return name.startsWith("org.lakesteward_") || name.startsWith("plugin-maintenance-") || name.startsWith("plugin-access-control-");
    }

    private static void link(Path source, Path target)
            throws IOException
    {
        if (Files.exists(target)) {
            if (Files.isSameFile(source, target)) {
                return;
            }
            Files.delete(target);
        }
        Files.deleteIfExists(target);
        Files.createSymbolicLink(target, source);
    }

    private static void removeOthers(Path target, Set<String> names)
            throws IOException
    {
        try (Stream<Path> files = Files.list(target)) {
            for (Path file : files.filter(file -> !names.contains(file.getFileName().toString())).toList()) {
                Files.delete(file);
            }
        }
    }

    private static long checksum(Path file)
            throws IOException
    {
        CRC32 crc = new CRC32();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), crc)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return crc.getValue();
    }
}
