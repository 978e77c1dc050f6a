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
package org.lakesteward.procedure.health;

import io.airlift.log.Logger;
import io.trino.plugin.iceberg.UnknownTableTypeException;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.spi.PageBuilder;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.connector.TableNotFoundException;
import io.trino.spi.type.Type;
import org.lakesteward.procedure.health.TableObserver.Depth;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Reads tables side by side and hands out rows as they come. Never has more than {@code concurrency} tables with the executor,
 * so that queries share its threads. Used by one thread; closing it cancels what is still being read.
 */
final class TableHealthPageSource
        implements ConnectorPageSource
{
    private static final Logger log = Logger.get(TableHealthPageSource.class);

    // the engine does not ask system tables whether they are blocked: wait a little here, then let it look after the query
    private static final long WAIT_MILLIS = 100;

    private final HealthReader reader;
    private final ConnectorSession session;
    private final TrinoCatalog catalog;
    private final List<Type> types;
    private final int concurrency;
    private final Iterator<SchemaTableName> waiting;
    private final Set<Future<Optional<TableHealthRow>>> running = new HashSet<>();
    private final ExecutorCompletionService<Optional<TableHealthRow>> completions;

    private long readTimeNanos;
    private boolean closed;

    TableHealthPageSource(
            HealthReader reader,
            ConnectorSession session,
            TrinoCatalog catalog,
            List<SchemaTableName> tables,
            ExecutorService executor,
            int concurrency)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.session = requireNonNull(session, "session is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.waiting = List.copyOf(tables).iterator();
        this.types = TableHealthColumn.ALL.stream()
                .map(TableHealthColumn::type)
                .collect(toImmutableList());
        this.completions = new ExecutorCompletionService<>(executor);
        this.concurrency = concurrency;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (closed) {
            return null;
        }
        long start = System.nanoTime();
        try {
            return readRows();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(GENERIC_INTERNAL_ERROR, "Interrupted while reading table metadata", e);
        }
        finally {
            readTimeNanos += System.nanoTime() - start;
        }
    }

    private SourcePage readRows()
            throws InterruptedException
    {
        submit();
        PageBuilder page = new PageBuilder(types);
        Future<Optional<TableHealthRow>> completed = completions.poll(WAIT_MILLIS, MILLISECONDS);
        while (completed != null) {
            running.remove(completed);
            getDone(completed).ifPresent(row -> append(page, row));
            submit();
            completed = page.isFull() ? null : completions.poll();
        }
        return page.isEmpty() ? null : SourcePage.create(page.build());
    }

    private void submit()
    {
        while (running.size() < concurrency && waiting.hasNext()) {
            SchemaTableName table = waiting.next();
            running.add(completions.submit(() -> {
                // the executor's threads are shared and were made by whoever came first
                try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
                    return row(table);
                }
            }));
        }
    }

    private static Optional<TableHealthRow> getDone(Future<Optional<TableHealthRow>> completed)
            throws InterruptedException
    {
        try {
            return completed.get();
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new TrinoException(GENERIC_INTERNAL_ERROR, "Reading table metadata failed", e.getCause());
        }
    }

    /**
     * @return empty when the table is gone, or no Iceberg table
     */
    private Optional<TableHealthRow> row(SchemaTableName table)
    {
        try {
            return Optional.of(new TableHealthRow(table, Optional.of(reader.read(session, catalog, table, Depth.AS_NEEDED)), Optional.empty()));
        }
        catch (TableNotFoundException | UnknownTableTypeException e) {
            return Optional.empty();
        }
        catch (RuntimeException e) {
            log.warn(e, "Health of table %s cannot be read", table);
            return Optional.of(new TableHealthRow(table, Optional.empty(), Optional.of(requireNonNullElse(e.getMessage(), e.toString()))));
        }
    }

    private void append(PageBuilder page, TableHealthRow row)
    {
        page.declarePosition();
        for (int channel = 0; channel < types.size(); channel++) {
            writeNativeValue(types.get(channel), page.getBlockBuilder(channel), TableHealthColumn.ALL.get(channel).value().apply(row));
        }
    }

    @Override
    public boolean isFinished()
    {
        return closed || (running.isEmpty() && !waiting.hasNext());
    }

    @Override
    public void close()
    {
        closed = true;
        running.forEach(task -> task.cancel(true));
        running.clear();
    }

    @Override
    public long getCompletedBytes()
    {
        return 0;
    }

    @Override
    public long getReadTimeNanos()
    {
        return readTimeNanos;
    }

    @Override
    public long getMemoryUsage()
    {
        return 0;
    }
}
