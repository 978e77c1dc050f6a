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
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.configuration.ConfigSecuritySensitive;
import io.airlift.configuration.validation.FileExists;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.lakesteward.store.etcd.EtcdConfigRules;

import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Where the coordinators of a lake keep what they must agree on. All of them need the same values.
 */
public class StateStoreConfig
{
    private StateStoreKind type = StateStoreKind.EMBEDDED;
    private File embeddedPath = new File("var/lakesteward/state");
    private List<URI> etcdEndpoints = ImmutableList.of();
    private String etcdPrefix = "/lakesteward";
    private Optional<String> etcdUser = Optional.empty();
    private Optional<String> etcdPassword = Optional.empty();
    private Optional<File> etcdTlsCaFile = Optional.empty();
    private Optional<File> etcdTlsCertificateFile = Optional.empty();
    private Optional<File> etcdTlsKeyFile = Optional.empty();
    private Duration etcdTimeout = new Duration(5, SECONDS);

    @NotNull
    public StateStoreKind getType()
    {
        return type;
    }

    @Config("state-store.type")
    @ConfigDescription("Where the coordinators' state is kept: embedded (one coordinator) or etcd (any number of coordinators)")
    public StateStoreConfig setType(StateStoreKind type)
    {
        this.type = type;
        return this;
    }

    @NotNull
    public File getEmbeddedPath()
    {
        return embeddedPath;
    }

    @Config("state-store.embedded.path")
    @ConfigDescription("Folder that holds the state, created when needed; on a local file system")
    public StateStoreConfig setEmbeddedPath(File embeddedPath)
    {
        this.embeddedPath = embeddedPath;
        return this;
    }

    @NotNull
    public List<URI> getEtcdEndpoints()
    {
        return etcdEndpoints;
    }

    @Config("state-store.etcd.endpoints")
    @ConfigDescription("Addresses of the members of the etcd cluster, such as http://etcd1:2379,http://etcd2:2379")
    public StateStoreConfig setEtcdEndpoints(List<URI> etcdEndpoints)
    {
        this.etcdEndpoints = ImmutableList.copyOf(etcdEndpoints);
        return this;
    }

    @NotNull
    @Pattern(regexp = "(/[A-Za-z0-9._-]+)+", message = "must be one or more names, each after a slash, such as /lakesteward")
    public String getEtcdPrefix()
    {
        return etcdPrefix;
    }

    @Config("state-store.etcd.prefix")
    @ConfigDescription("What all keys in etcd begin with; one for each lake")
    public StateStoreConfig setEtcdPrefix(String etcdPrefix)
    {
        this.etcdPrefix = etcdPrefix;
        return this;
    }

    public Optional<String> getEtcdUser()
    {
        return etcdUser;
    }

    @Config("state-store.etcd.user")
    @ConfigDescription("User name in etcd")
    public StateStoreConfig setEtcdUser(String etcdUser)
    {
        this.etcdUser = Optional.ofNullable(etcdUser);
        return this;
    }

    public Optional<String> getEtcdPassword()
    {
        return etcdPassword;
    }

    @Config("state-store.etcd.password")
    @ConfigSecuritySensitive
    @ConfigDescription("Password of the user in etcd")
    public StateStoreConfig setEtcdPassword(String etcdPassword)
    {
        this.etcdPassword = Optional.ofNullable(etcdPassword);
        return this;
    }

    public Optional<@FileExists File> getEtcdTlsCaFile()
    {
        return etcdTlsCaFile;
    }

    @Config("state-store.etcd.tls.ca-file")
    @ConfigDescription("PEM file of the authorities that may have signed etcd's certificate; without it those of the JDK are trusted")
    public StateStoreConfig setEtcdTlsCaFile(File etcdTlsCaFile)
    {
        this.etcdTlsCaFile = Optional.ofNullable(etcdTlsCaFile);
        return this;
    }

    public Optional<@FileExists File> getEtcdTlsCertificateFile()
    {
        return etcdTlsCertificateFile;
    }

    @Config("state-store.etcd.tls.certificate-file")
    @ConfigDescription("PEM file of the certificate shown to etcd")
    public StateStoreConfig setEtcdTlsCertificateFile(File etcdTlsCertificateFile)
    {
        this.etcdTlsCertificateFile = Optional.ofNullable(etcdTlsCertificateFile);
        return this;
    }

    public Optional<@FileExists File> getEtcdTlsKeyFile()
    {
        return etcdTlsKeyFile;
    }

    @Config("state-store.etcd.tls.key-file")
    @ConfigDescription("PEM file of the private key (PKCS#8) of the certificate shown to etcd")
    public StateStoreConfig setEtcdTlsKeyFile(File etcdTlsKeyFile)
    {
        this.etcdTlsKeyFile = Optional.ofNullable(etcdTlsKeyFile);
        return this;
    }

    @NotNull
    @MinDuration("100ms")
    @MaxDuration("1m")
    public Duration getEtcdTimeout()
    {
        return etcdTimeout;
    }

    @Config("state-store.etcd.timeout")
    @ConfigDescription("How long one operation of etcd may take")
    public StateStoreConfig setEtcdTimeout(Duration etcdTimeout)
    {
        this.etcdTimeout = etcdTimeout;
        return this;
    }

    @AssertTrue(message = "state-store.etcd.endpoints is missing, it is needed with state-store.type=etcd")
    public boolean isEtcdEndpointsSet()
    {
        return type != StateStoreKind.ETCD || !etcdEndpoints.isEmpty();
    }

    @AssertTrue(message = "state-store.etcd.endpoints must be addresses of the form http://HOST:PORT or https://HOST:PORT, all with the same scheme")
    public boolean isEtcdEndpointsValid()
    {
        return EtcdConfigRules.isEndpointsValid(etcdEndpoints);
    }

    @AssertTrue(message = "state-store.etcd.user and state-store.etcd.password must be set together, and neither may be empty")
    public boolean isEtcdCredentialsComplete()
    {
        return EtcdConfigRules.isCredentialsComplete(etcdUser, etcdPassword);
    }

    @AssertTrue(message = "state-store.etcd.tls.certificate-file and state-store.etcd.tls.key-file must be set together")
    public boolean isEtcdTlsCertificateComplete()
    {
        return etcdTlsCertificateFile.isPresent() == etcdTlsKeyFile.isPresent();
    }

    @AssertTrue(message = "state-store.etcd.tls.ca-file, state-store.etcd.tls.certificate-file and state-store.etcd.tls.key-file are for endpoints that begin with https://")
    public boolean isEtcdTlsUsed()
    {
        return EtcdConfigRules.isTlsUsed(etcdEndpoints, etcdTlsCaFile, etcdTlsCertificateFile, etcdTlsKeyFile);
    }
}
