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
package org.lakesteward.store.state;

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

public class TestStateStoreConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(StateStoreConfig.class)
                .setType(StateStoreKind.EMBEDDED)
                .setEmbeddedPath(new File("var/lakesteward/state"))
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
                        .put("state-store.type", "etcd")
                        .put("state-store.embedded.path", "/data/state")
                        .put("state-store.etcd.endpoints", "https://one:2379,https://two:2380")
                        .put("state-store.etcd.prefix", "/lakes/first")
                        .put("state-store.etcd.user", "steward")
                        .put("state-store.etcd.password", "secret")
                        .put("state-store.etcd.tls.ca-file", ca.toString())
                        .put("state-store.etcd.tls.certificate-file", certificate.toString())
                        .put("state-store.etcd.tls.key-file", key.toString())
                        .put("state-store.etcd.timeout", "300ms")
                        .buildOrThrow(),
                new StateStoreConfig()
                        .setType(StateStoreKind.ETCD)
                        .setEmbeddedPath(new File("/data/state"))
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
        Path file = Files.createTempFile("state-store", ".pem");
        file.toFile().deleteOnExit();
        return file;
    }

    @DataProvider
    public static Object[][] invalid()
    {
        return new Object[][] {
                {ImmutableMap.of("state-store.type", "zookeeper"), "state-store.type"},
                {ImmutableMap.of("state-store.etcd.timeout", "99ms"), "state-store.etcd.timeout: must be greater than or equal to 100ms"},
                {ImmutableMap.of("state-store.etcd.timeout", "61s"), "state-store.etcd.timeout: must be less than or equal to 1m"},
                {ImmutableMap.of("state-store.etcd.prefix", "lakesteward"), "state-store.etcd.prefix: must be one or more names, each after a slash"},
                {ImmutableMap.of("state-store.etcd.prefix", "/lakesteward/"), "state-store.etcd.prefix: must be one or more names, each after a slash"},
                {ImmutableMap.of("state-store.type", "etcd"), "state-store.etcd.endpoints is missing"},
                {ImmutableMap.of("state-store.etcd.endpoints", "one:2379"), "state-store.etcd.endpoints must be addresses"},
                {ImmutableMap.of("state-store.etcd.endpoints", "http://one"), "state-store.etcd.endpoints must be addresses"},
                {ImmutableMap.of("state-store.etcd.endpoints", "http://one:2379/v3"), "state-store.etcd.endpoints must be addresses"},
                {ImmutableMap.of("state-store.etcd.endpoints", "http://one:2379,https://two:2379"), "state-store.etcd.endpoints must be addresses"},
                {ImmutableMap.of("state-store.etcd.user", "steward"), "state-store.etcd.user and state-store.etcd.password must be set together"},
                {ImmutableMap.of("state-store.etcd.password", "hidden-secret"), "state-store.etcd.user and state-store.etcd.password must be set together"},
                {ImmutableMap.of("state-store.etcd.tls.ca-file", "/no/such/file"), "state-store.etcd.tls.ca-file"},
                {ImmutableMap.of("state-store.etcd.tls.key-file", "/dev/null"), "state-store.etcd.tls.certificate-file and state-store.etcd.tls.key-file must be set together"},
                {ImmutableMap.of("state-store.etcd.endpoints", "http://one:2379", "state-store.etcd.tls.ca-file", "/dev/null"), "are for endpoints that begin with https://"},
        };
    }

    @Test(dataProvider = "invalid")
    public void testInvalid(Map<String, String> properties, String message)
    {
        ConfigurationFactory factory = new ConfigurationFactory(properties);
        assertThatThrownBy(() -> factory.build(StateStoreConfig.class))
                .hasMessageContaining(message)
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("hidden-secret"));
    }
}
