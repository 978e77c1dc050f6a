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

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Splits that take time to make: keys are sampled in the background, while the engine waits without a thread.
 */
final class SortSplitSource
        implements ConnectorSplitSource
{
    private final CompletableFuture<List<ConnectorSplit>> splits = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile int next;

    SortSplitSource(Function<BooleanSupplier, List<ConnectorSplit>> makeSplits, Executor executor)
    {
        requireNonNull(makeSplits, "makeSplits is null");
        executor.execute(() -> {
            try {
                splits.complete(makeSplits.apply(() -> closed));
            }
            catch (Throwable e) {
                splits.completeExceptionally(e instanceof CompletionException && e.getCause() != null ? e.getCause() : e);
            }
        });
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter)
    {
        // a future of its own, since a dependent one would wrap the exception
        CompletableFuture<List<ConnectorSplit>> batch = new CompletableFuture<>();
        splits.whenComplete((all, failure) -> {
            if (failure != null) {
                batch.completeExceptionally(failure);
                return;
            }
            int from = next;
            next = Math.min(all.size(), from + maxSize);
            batch.complete(ImmutableList.copyOf(all.subList(from, next)));
        });
        return batch;
    }

    @Override
    public void close()
    {
        closed = true;
    }

    @Override
    public boolean isFinished()
    {
        return splits.isDone() && !splits.isCompletedExceptionally() && next == splits.join().size();
    }

    @Override
    public Optional<List<Object>> getTableExecuteSplitsInfo()
    {
        // the engine insists on information about the splits, although the run knows all of it
        return Optional.of(ImmutableList.of());
    }
}
