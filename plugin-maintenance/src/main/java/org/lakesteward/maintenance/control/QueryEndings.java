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
package org.lakesteward.maintenance.control;

import com.google.inject.Inject;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.MetadataProvider;
import org.lakesteward.systemtables.window.WindowTables;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Tells procedures that their statement was killed. The engine does not interrupt a CALL, but it tells the metadata of each catalog
 * that a statement has used that the statement has ended. Thread-safe.
 */
public class QueryEndings
{
    private final MetadataProvider metadataProvider;
    private final CatalogSchemaTableName someTable;
    private final ConcurrentMap<String, CountDownLatch> followed = new ConcurrentHashMap<>();

    @Inject
    public QueryEndings(MetadataProvider metadataProvider, CatalogName catalogName)
    {
        this.metadataProvider = requireNonNull(metadataProvider, "metadataProvider is null");
        this.someTable = new CatalogSchemaTableName(catalogName.toString(), WindowTables.WINDOWS);
    }

    /**
     * @throws RuntimeException when the statement has ended already
     */
    public Ending follow(ConnectorSession session)
    {
        String queryId = session.getQueryId();
        CountDownLatch latch = new CountDownLatch(1);
        followed.put(queryId, latch);
        Ending ending = new Ending(queryId, latch);
        try {
            // a CALL uses no metadata of the catalog of its procedure by itself, and would not be told
            metadataProvider.getRelationMetadata(session, someTable);
        }
        catch (Throwable e) {
            ending.close();
            throw e;
        }
        return ending;
    }

    void ended(String queryId)
    {
        CountDownLatch latch = followed.get(queryId);
        if (latch != null) {
            latch.countDown();
        }
    }

    /** How many statements are followed. */
    public int followed()
    {
        return followed.size();
    }

    public final class Ending
            implements AutoCloseable
    {
        private final String queryId;
        private final CountDownLatch latch;

        private Ending(String queryId, CountDownLatch latch)
        {
            this.queryId = requireNonNull(queryId, "queryId is null");
            this.latch = requireNonNull(latch, "latch is null");
        }

        /**
         * Waits for the statement to end, but no longer than given.
         *
         * @return whether it has ended
         */
        public boolean await(Duration duration)
                throws InterruptedException
        {
            return latch.await(duration.toNanos(), NANOSECONDS);
        }

        @Override
        public void close()
        {
            followed.remove(queryId, latch);
        }
    }
}
