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
package org.lakesteward.store.etcd;

import com.google.common.collect.ImmutableList;

import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints at least one, all http or all https
 * @param credentials empty when etcd asks for none
 * @param caFile PEM file of the trusted authorities; empty for those of the JDK
 * @param clientCertificate empty when etcd asks for none
 * @param timeout how long one operation may take, more than zero
 */
public record EtcdSettings(
        List<URI> endpoints,
        Optional<Credentials> credentials,
        Optional<File> caFile,
        Optional<ClientCertificate> clientCertificate,
        Duration timeout)
{
    public EtcdSettings
    {
        endpoints = ImmutableList.copyOf(endpoints);
        checkArgument(!endpoints.isEmpty(), "endpoints is empty");
        requireNonNull(credentials, "credentials is null");
        requireNonNull(caFile, "caFile is null");
        requireNonNull(clientCertificate, "clientCertificate is null");
        requireNonNull(timeout, "timeout is null");
        checkArgument(timeout.isPositive(), "timeout is %s, it must be more than zero", timeout);
    }

    public boolean usesTls()
    {
        return endpoints.getFirst().getScheme().equals("https");
    }

    public record Credentials(String user, String password)
    {
        public Credentials
        {
            requireNonNull(user, "user is null");
            requireNonNull(password, "password is null");
        }

        /** Without the password. */
        @Override
        public String toString()
        {
            return "Credentials[user=%s]".formatted(user);
        }
    }

    /**
     * Two PEM files; the key is PKCS#8 without a password.
     */
    public record ClientCertificate(File certificateFile, File keyFile)
    {
        public ClientCertificate
        {
            requireNonNull(certificateFile, "certificateFile is null");
            requireNonNull(keyFile, "keyFile is null");
        }
    }
}
