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

import com.google.common.base.Ticker;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.etcd.EtcdSettings;
import org.lakesteward.store.etcd.EtcdSettings.ClientCertificate;
import org.lakesteward.store.etcd.EtcdSettings.Credentials;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.embedded.EmbeddedStateStore;
import org.lakesteward.store.state.etcd.EtcdStateStore;

/**
 * Makes the store that a configuration asks for.
 */
public final class StateStores
{
    private StateStores() {}

    /**
     * Opens the file, or connects to etcd when the store is first used. The caller closes it.
     *
     * @param ticker the clock of leases, {@link Ticker#systemTicker} outside of tests
     * @throws StateStoreException {@code LOCKED} when another process has the file; {@code REFUSED} when files that the configuration names
     * cannot be used
     */
    public static StateStore create(StateStoreConfig config, Ticker ticker)
    {
        return switch (config.getType()) {
            case EMBEDDED -> new EmbeddedStateStore(config.getEmbeddedPath().toPath(), ticker);
            case ETCD -> new EtcdStateStore(connection(config), config.getEtcdPrefix(), ticker);
        };
    }

    private static EtcdConnection connection(StateStoreConfig config)
    {
        EtcdSettings settings = new EtcdSettings(
                config.getEtcdEndpoints(),
                config.getEtcdUser().map(user -> new Credentials(user, config.getEtcdPassword().orElseThrow())),
                config.getEtcdTlsCaFile(),
                config.getEtcdTlsCertificateFile().map(file -> new ClientCertificate(file, config.getEtcdTlsKeyFile().orElseThrow())),
                config.getEtcdTimeout().toJavaTime());
        try {
            return new EtcdConnection(settings, StoreLimits.MAX_ANSWER_BYTES);
        }
        catch (EtcdFailure e) {
            throw new StateStoreException(Kind.REFUSED, e.getMessage(), e);
        }
    }
}
