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
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.trino.spi.Node;
import io.trino.spi.NodeManager;
import io.trino.spi.Page;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.Type;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * Sends the rows of a sort to the writers of their ranges, and is the stock provider for everything else. Thread-safe.
 * <p>
 * Buckets take turns over the nodes, and ranges over the buckets, so that each node gets its share of ranges. Within a node the engine spreads buckets over
 * writer threads; many more buckets than threads make for an even spread.
 */
public class LakePartitioningProvider
        implements ConnectorNodePartitioningProvider
{
    private static final int BUCKETS_PER_NODE = 64;

    private final ConnectorNodePartitioningProvider stock;
    private final NodeManager nodeManager;
    private final RewriteRuns runs;

    @Inject
    public LakePartitioningProvider(ConnectorNodePartitioningProvider stock, NodeManager nodeManager, RewriteRuns runs)
    {
        this.stock = requireNonNull(stock, "stock is null");
        this.nodeManager = requireNonNull(nodeManager, "nodeManager is null");
        this.runs = requireNonNull(runs, "runs is null");
    }

    /** The nodes of a statement, one for each bucket; the same each time. */
    List<Node> bucketNodes(RewriteRun run)
    {
        return run.bucketNodes(() -> {
            List<Node> nodes = nodeManager.getRequiredWorkerNodes().stream()
                    .sorted(Comparator.comparing(Node::getNodeIdentifier))
                    .collect(toImmutableList());
            ImmutableList.Builder<Node> buckets = ImmutableList.builder();
            for (int bucket = 0; bucket < BUCKETS_PER_NODE * nodes.size(); bucket++) {
                buckets.add(nodes.get(bucket % nodes.size()));
            }
            return buckets.build();
        });
    }

    int nodes(RewriteRun run)
    {
        return bucketNodes(run).size() / BUCKETS_PER_NODE;
    }

    @Override
    public Optional<ConnectorBucketNodeMap> getBucketNodeMapping(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorPartitioningHandle partitioning)
    {
        if (partitioning instanceof RangePartitioningHandle range) {
            return Optional.of(ConnectorBucketNodeMap.createBucketNodeMap(bucketNodes(runs.require(range.queryId()))));
        }
        return stock.getBucketNodeMapping(transaction, session, partitioning);
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorPartitioningHandle partitioning, int bucketCount)
    {
        if (partitioning instanceof RangePartitioningHandle) {
            return _ -> {
                throw new UnsupportedOperationException("Splits of a rewrite have no bucket");
            };
        }
        return stock.getSplitBucketFunction(transaction, session, partitioning, bucketCount);
    }

    @Override
    public BucketFunction getBucketFunction(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorPartitioningHandle partitioning, List<Type> types, int bucketCount)
    {
        if (partitioning instanceof RangePartitioningHandle) {
            return new RouteBucketFunction(bucketCount);
        }
        return stock.getBucketFunction(transaction, session, partitioning, types, bucketCount);
    }

    private record RouteBucketFunction(int bucketCount)
            implements BucketFunction
    {
        @Override
        public int getBucket(Page page, int position)
        {
            Slice route = VARCHAR.getSlice(page.getBlock(0), position);
            int bucket = Route.bucket(route);
            checkState(0 <= bucket && bucket < bucketCount, "bucket %s of %s", bucket, bucketCount);
            return bucket;
        }
    }
}
