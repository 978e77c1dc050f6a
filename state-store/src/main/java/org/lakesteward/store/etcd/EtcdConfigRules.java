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

import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What the settings of etcd in a configuration must be, for every configuration that has them.
 */
public final class EtcdConfigRules
{
    private EtcdConfigRules() {}

    /** Of the form {@code http://HOST:PORT} or {@code https://HOST:PORT}, all with the same scheme. */
    public static boolean isEndpointsValid(List<URI> endpoints)
    {
        return endpoints.stream().allMatch(EtcdConfigRules::isEndpoint) &&
                endpoints.stream().map(URI::getScheme).distinct().count() <= 1;
    }

    private static boolean isEndpoint(URI endpoint)
    {
        return ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())) &&
                endpoint.getHost() != null &&
                endpoint.getPort() > 0 &&
                endpoint.getPort() <= 65535 &&
                endpoint.getUserInfo() == null &&
                (endpoint.getPath().isEmpty() || endpoint.getPath().equals("/")) &&
                endpoint.getQuery() == null &&
                endpoint.getFragment() == null;
    }

    /** Both or neither, and none of them empty. */
    public static boolean isCredentialsComplete(Optional<String> user, Optional<String> password)
    {
        return user.isPresent() == password.isPresent() &&
                user.filter(String::isEmpty).isEmpty() &&
                password.filter(String::isEmpty).isEmpty();
    }

    /** Files for TLS are named only where it is used. */
    public static boolean isTlsUsed(List<URI> endpoints, Optional<File> caFile, Optional<File> certificateFile, Optional<File> keyFile)
    {
        return (caFile.isEmpty() && certificateFile.isEmpty() && keyFile.isEmpty()) ||
                endpoints.stream().allMatch(endpoint -> "https".equals(endpoint.getScheme()));
    }
}
