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

import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.etcd.EtcdSettings;
import org.lakesteward.store.etcd.EtcdSettings.ClientCertificate;
import org.lakesteward.store.etcd.EtcdSettings.Credentials;

import java.time.InstantSource;

/**
 * Makes the store of windows that a configuration asks for.
 */
public final class WindowStores
{
    private WindowStores() {}

    /**
     * Connects to nothing and creates nothing: a store that cannot be reached shows when it is used. The caller closes it.
     *
     * @throws WindowStoreException when the files that the configuration names cannot be used
     */
    public static WindowStore create(WindowStoreConfig config)
    {
        return switch (config.getStore()) {
            case FILE -> new FileWindowStore(config.getFilePath().toPath(), config.getPresenceTimeout().toJavaTime(), InstantSource.system());
            case ETCD -> new EtcdWindowStore(connection(config), config.getEtcdPrefix(), config.getPresenceTimeout().toJavaTime());
        };
    }

    private static EtcdConnection connection(WindowStoreConfig config)
    {
        EtcdSettings settings = new EtcdSettings(
                config.getEtcdEndpoints(),
                config.getEtcdUser().map(user -> new Credentials(user, config.getEtcdPassword().orElseThrow())),
                config.getEtcdTlsCaFile(),
                config.getEtcdTlsCertificateFile().map(file -> new ClientCertificate(file, config.getEtcdTlsKeyFile().orElseThrow())),
                config.getEtcdTimeout().toJavaTime());
        try {
            return new EtcdConnection(settings);
        }
        catch (EtcdFailure e) {
            throw new WindowStoreException(e.getMessage(), e);
        }
    }
}
