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
package org.lakesteward.store.window;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.configuration.ConfigurationFactory;
import io.airlift.units.Duration;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestWindowStoreConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(WindowStoreConfig.class)
                .setStore(WindowStoreKind.FILE)
                .setFilePath(new File("var/lakesteward/windows"))
                .setPresenceTimeout(new Duration(15, SECONDS))
                .setEtcdEndpoints(ImmutableList.of())
                .setEtcdPrefix("/lakesteward")
                .setEtcdUser(null)
                .setEtcdPassword(null)
                .setEtcdTlsCaFile(null)
                .setEtcdTlsCertificateFile(null)
                .setEtcdTlsKeyFile(null)
                .setEtcdTimeout(new Duration(5, SECONDS)));
    }

    @Test
    public void testExplicitPropertyMappings()
            throws IOException
    {
        Path ca = temporaryFile();
        Path certificate = temporaryFile();
        Path key = temporaryFile();
        assertFullMapping(
                ImmutableMap.<String, String>builder()
                        .put("window.store", "etcd")
                        .put("window.file.path", "/data/windows")
                        .put("window.presence-timeout", "2s")
                        .put("window.etcd.endpoints", "https://one:2379,https://two:2380")
                        .put("window.etcd.prefix", "/lakes/first")
                        .put("window.etcd.user", "steward")
                        .put("window.etcd.password", "secret")
                        .put("window.etcd.tls.ca-file", ca.toString())
                        .put("window.etcd.tls.certificate-file", certificate.toString())
                        .put("window.etcd.tls.key-file", key.toString())
                        .put("window.etcd.timeout", "300ms")
                        .buildOrThrow(),
                new WindowStoreConfig()
                        .setStore(WindowStoreKind.ETCD)
                        .setFilePath(new File("/data/windows"))
                        .setPresenceTimeout(new Duration(2, SECONDS))
                        .setEtcdEndpoints(ImmutableList.of(URI.create("https://one:2379"), URI.create("https://two:2380")))
                        .setEtcdPrefix("/lakes/first")
                        .setEtcdUser("steward")
                        .setEtcdPassword("secret")
                        .setEtcdTlsCaFile(ca.toFile())
                        .setEtcdTlsCertificateFile(certificate.toFile())
                        .setEtcdTlsKeyFile(key.toFile())
                        .setEtcdTimeout(new Duration(300, MILLISECONDS)));
    }

    private static Path temporaryFile()
            throws IOException
    {
        Path file = Files.createTempFile("window-store", ".pem");
        file.toFile().deleteOnExit();
        return file;
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {
                {ImmutableMap.of("window.store", "zookeeper"), "window.store"},
                {ImmutableMap.of("window.presence-timeout", "1999ms"), "window.presence-timeout: must be greater than or equal to 2s"},
                {ImmutableMap.of("window.etcd.timeout", "99ms"), "window.etcd.timeout: must be greater than or equal to 100ms"},
                {ImmutableMap.of("window.etcd.timeout", "61s"), "window.etcd.timeout: must be less than or equal to 1m"},
                {ImmutableMap.of("window.etcd.prefix", "lakesteward"), "window.etcd.prefix: must be one or more names, each after a slash"},
                {ImmutableMap.of("window.etcd.prefix", "/lakesteward/"), "window.etcd.prefix: must be one or more names, each after a slash"},
                {ImmutableMap.of("window.store", "etcd"), "window.etcd.endpoints is missing"},
                {ImmutableMap.of("window.etcd.endpoints", "one:2379"), "window.etcd.endpoints must be addresses"},
                {ImmutableMap.of("window.etcd.endpoints", "http://one"), "window.etcd.endpoints must be addresses"},
                {ImmutableMap.of("window.etcd.endpoints", "http://one:2379/v3"), "window.etcd.endpoints must be addresses"},
                {ImmutableMap.of("window.etcd.endpoints", "http://one:2379,https://two:2379"), "window.etcd.endpoints must be addresses"},
                {ImmutableMap.of("window.etcd.user", "steward"), "window.etcd.user and window.etcd.password must be set together"},
                {ImmutableMap.of("window.etcd.password", "hidden-secret"), "window.etcd.user and window.etcd.password must be set together"},
                {ImmutableMap.of("window.etcd.tls.ca-file", "/no/such/file"), "window.etcd.tls.ca-file"},
                {ImmutableMap.of("window.etcd.tls.key-file", "/dev/null"), "window.etcd.tls.certificate-file and window.etcd.tls.key-file must be set together"},
                {ImmutableMap.of("window.etcd.endpoints", "http://one:2379", "window.etcd.tls.ca-file", "/dev/null"), "are for endpoints that begin with https://"},
        };
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(Map<String, String> properties, String message)
    {
        ConfigurationFactory factory = new ConfigurationFactory(properties);
        assertThatThrownBy(() -> factory.build(WindowStoreConfig.class))
                .hasMessageContaining(message)
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("hidden-secret"));
    }
}
