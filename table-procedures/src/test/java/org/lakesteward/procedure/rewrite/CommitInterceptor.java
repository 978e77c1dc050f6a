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
package org.lakesteward.procedure.rewrite;

import com.google.inject.Binder;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Scopes;
import io.airlift.configuration.AbstractConfigurationAwareModule;
import io.trino.plugin.hive.metastore.file.FileMetastoreModule;
import io.trino.plugin.iceberg.catalog.IcebergHiveMetastoreModule;
import io.trino.plugin.iceberg.catalog.IcebergTableOperations;
import io.trino.plugin.iceberg.catalog.IcebergTableOperationsProvider;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.plugin.iceberg.catalog.file.FileMetastoreTableOperationsProvider;
import io.trino.plugin.iceberg.catalog.hms.TrinoHiveCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/**
 * A file metastore whose table operations let a test stand between a rewrite and its commit: to commit something else first, to lose the answer, to fail.
 * Commits of other statements pass untouched. Thread-safe.
 */
final class CommitInterceptor
        extends AbstractConfigurationAwareModule
{
    private final Map<String, Queue<Step>> steps = new ConcurrentHashMap<>();
    private final List<Injector> injectors = new CopyOnWriteArrayList<>();

    /** What happens at one attempt of a rewrite to commit; runs the real commit, or does not. */
    interface Step
    {
        void commit(Runnable commit);
    }

    /** The next attempt of a rewrite to commit to the table becomes this step; later ones the steps given later. */
    void onCommit(String table, Step step)
    {
        Queue<Step> queue = steps.computeIfAbsent(table, _ -> new ArrayDeque<>());
        synchronized (queue) {
            queue.add(step);
        }
    }

    /** Of the lake connector on each node. */
    List<Injector> injectors()
    {
        return injectors;
    }

    @Override
    protected void setup(Binder binder)
    {
        binder.bind(CommitInterceptor.class).toInstance(this);
        binder.bind(FileMetastoreTableOperationsProvider.class).in(Scopes.SINGLETON);
        binder.bind(IcebergTableOperationsProvider.class).to(InterceptedOperationsProvider.class).in(Scopes.SINGLETON);
        binder.bind(TrinoCatalogFactory.class).to(TrinoHiveCatalogFactory.class).in(Scopes.SINGLETON);
        install(new IcebergHiveMetastoreModule());
        install(new FileMetastoreModule());
    }

    @Inject
    void addInjector(Injector injector)
    {
        injectors.add(injector);
    }

    private void commit(String table, TableMetadata metadata, Runnable commit)
    {
        Snapshot snapshot = metadata.currentSnapshot();
        if (snapshot == null || !snapshot.summary().containsKey(RewriteReport.SUMMARY_PREFIX + "operation")) {
            commit.run();
            return;
        }
        Step step = null;
        Queue<Step> queue = steps.get(table);
        if (queue != null) {
            synchronized (queue) {
                step = queue.poll();
            }
        }
        Optional.ofNullable(step).orElse(Runnable::run).commit(commit);
    }

    static final class InterceptedOperationsProvider
            implements IcebergTableOperationsProvider
    {
        private final FileMetastoreTableOperationsProvider delegate;
        private final CommitInterceptor interceptor;

        @Inject
        InterceptedOperationsProvider(FileMetastoreTableOperationsProvider delegate, CommitInterceptor interceptor)
        {
            this.delegate = requireNonNull(delegate, "delegate is null");
            this.interceptor = requireNonNull(interceptor, "interceptor is null");
        }

        @Override
        public IcebergTableOperations createTableOperations(TrinoCatalog catalog, ConnectorSession session, String database, String table, Optional<String> owner, Optional<String> location)
        {
            return new InterceptedOperations(delegate.createTableOperations(catalog, session, database, table, owner, location), interceptor, table);
        }
    }

    private record InterceptedOperations(IcebergTableOperations delegate, CommitInterceptor interceptor, String table)
            implements IcebergTableOperations
    {
        @Override
        public void initializeFromMetadata(TableMetadata metadata)
        {
            delegate.initializeFromMetadata(metadata);
        }

        @Override
        public TableMetadata current()
        {
            return delegate.current();
        }

        @Override
        public TableMetadata refresh()
        {
            return delegate.refresh();
        }

        @Override
        public void commit(TableMetadata base, TableMetadata metadata)
        {
            interceptor.commit(table, metadata, () -> delegate.commit(base, metadata));
        }

        @Override
        public FileIO io()
        {
            return delegate.io();
        }

        @Override
        public EncryptionManager encryption()
        {
            return delegate.encryption();
        }

        @Override
        public String metadataFileLocation(String fileName)
        {
            return delegate.metadataFileLocation(fileName);
        }

        @Override
        public LocationProvider locationProvider()
        {
            return delegate.locationProvider();
        }

        @Override
        public TableOperations temp(TableMetadata uncommittedMetadata)
        {
            return delegate.temp(uncommittedMetadata);
        }

        @Override
        public long newSnapshotId()
        {
            return delegate.newSnapshotId();
        }

        @Override
        public boolean requireStrictCleanup()
        {
            return delegate.requireStrictCleanup();
        }
    }
}
