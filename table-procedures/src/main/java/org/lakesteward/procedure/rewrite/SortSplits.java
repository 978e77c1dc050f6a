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
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.type.TypeManager;
import jakarta.annotation.PreDestroy;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.FileGroup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.trino.plugin.iceberg.IcebergUtil.getTopLevelColumns;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newCachedThreadPool;

/**
 * Makes the splits of a sort: samples keys, cuts ranges, and divides groups with many ranges into passes. Thread-safe.
 */
public class SortSplits
{
    private static final long LEAST_BUFFER = 1 << 20;
    /** Reading takes about a fifth of the work of a sort, sending rows about two fifths. */
    private static final int MOST_PORTIONS = 3;

    private final KeySampler sampler;
    private final IcebergPageSourceProviderFactory pageSourceProviderFactory;
    private final LakePartitioningProvider partitioningProvider;
    private final TypeManager typeManager;
    private final int maxRangesPerNode;
    private final long memoryPerNode;
    private final int maxGroupsPerNode;
    private final long maxPortionedBytes;
    private final ExecutorService executor = newCachedThreadPool(daemonThreadsNamed("rewrite-sampling-%s"));

    @Inject
    public SortSplits(
            KeySampler sampler,
            IcebergPageSourceProviderFactory pageSourceProviderFactory,
            LakePartitioningProvider partitioningProvider,
            TypeManager typeManager,
            RewriteConfig config)
    {
        this.sampler = requireNonNull(sampler, "sampler is null");
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.partitioningProvider = requireNonNull(partitioningProvider, "partitioningProvider is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        maxRangesPerNode = config.getMaxSortRangesPerNode();
        memoryPerNode = config.getSortMemoryPerNode().toBytes();
        maxGroupsPerNode = config.getMaxGroupsPerNode();
        maxPortionedBytes = config.getMaxSortWithoutExchange().toBytes();
    }

    @PreDestroy
    public void stop()
    {
        executor.shutdownNow();
    }

    /** What each writer may sort in memory, so that all that work at once on a node keep within the node's share. */
    long bufferSize(RewriteRun run, PlannedRewrite planned)
    {
        long rangesPerNode = clamp(ceilDiv(planned.plan().outputFiles(), partitioningProvider.nodes(run)), 1, maxRangesPerNode);
        return max(LEAST_BUFFER, memoryPerNode / rangesPerNode);
    }

    ConnectorSplitSource splits(ConnectorSession session, RewriteRun run, PlannedRewrite planned, IcebergTableHandle table)
    {
        return new SortSplitSource(cancelled -> make(session, run, planned, table, cancelled), executor);
    }

    private List<ConnectorSplit> make(ConnectorSession session, RewriteRun run, PlannedRewrite planned, IcebergTableHandle table, BooleanSupplier cancelled)
    {
        SortRequest request = run.settings().sort().orElseThrow();
        IcebergOptimizeHandle output = (IcebergOptimizeHandle) run.writer().procedureHandle();
        Schema schema = SchemaParser.fromJson(table.getTableSchemaJson());
        PartitionSpec spec = PartitionSpecParser.fromJson(SchemaParser.fromJson(output.schemaAsJson()), output.partitionSpecAsJson());
        IcebergPageSourceProvider provider = (IcebergPageSourceProvider) pageSourceProviderFactory.createPageSourceProvider();
        KeySampler.Readers readers = (file, deletes, columns, start, length, memoryContext) ->
                new DataFileReader(provider, session, table, planned.credentials(), typeManager).open(file, deletes, columns, start, length, memoryContext);

        int buckets = partitioningProvider.bucketNodes(run).size();
        int mostRanges = maxRangesPerNode * partitioningProvider.nodes(run);
        long largest = planned.plan().groups().stream().flatMap(group -> group.files().stream()).mapToLong(DataFileInfo::size).max().orElse(1);
        int nodes = partitioningProvider.nodes(run);
        long portionedGroups = planned.plan().groups().stream().filter(this::isPortioned).count();
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        int bucket = 0;
        for (FileGroup group : planned.plan().groups()) {
            if (cancelled.getAsBoolean()) {
                return ImmutableList.of();
            }
            boolean byPartition = group.partition().specId() != spec.specId();
            GroupFiles files = GroupFiles.of(planned.files(group));
            SortKey key = SortKey.create(schema, spec, byPartition, request, typeManager);
            List<IcebergColumnHandle> columns = getTopLevelColumns(schema, typeManager);
            KeyBoundaries boundaries;
            Optional<ZOrderCurve> curve = Optional.empty();
            if (request.zorder()) {
                KeySampler.ZOrderSample sample = sampler.sampleZOrder(inputs(group, planned, files), group.outputFiles(), key, readers, columns, cancelled);
                boundaries = sample.boundaries();
                curve = Optional.of(sample.curve());
            }
            else {
                boundaries = sampler.sample(inputs(group, planned, files), group.outputFiles(), key, readers, columns, cancelled);
            }
            if (isPortioned(group)) {
                int portions = portions(boundaries.ranges(), portionedGroups, nodes);
                // so many are at work on a node at once
                long working = clamp(ceilDiv(portionedGroups * portions, nodes), 1, maxGroupsPerNode);
                for (int portion = 0; portion < portions; portion++) {
                    int firstRange = boundaries.ranges() * portion / portions;
                    int portionRanges = boundaries.ranges() * (portion + 1) / portions - firstRange;
                    splits.add(new SortPortionSplit(
                            group.id(),
                            files.files(),
                            files.deletes(),
                            byPartition,
                            boundaries,
                            curve,
                            firstRange,
                            portionRanges,
                            (bucket + firstRange) % buckets,
                            buckets,
                            max(LEAST_BUFFER, memoryPerNode / (working * portionRanges)),
                            SplitWeight.standard()));
                }
                bucket = (bucket + boundaries.ranges()) % buckets;
                continue;
            }
            for (int firstRange = 0; firstRange < boundaries.ranges(); firstRange += mostRanges) {
                for (int index = 0; index < files.files().size(); index++) {
                    GroupFile file = files.files().get(index);
                    splits.add(new SortSplit(
                            group.id(),
                            index,
                            files.files().size(),
                            file,
                            files.deletes(),
                            byPartition,
                            boundaries,
                            curve,
                            firstRange,
                            min(mostRanges, boundaries.ranges() - firstRange),
                            bucket,
                            buckets,
                            SplitWeight.fromProportion(clamp(file.size() / (double) max(1, largest), 0.05, 1.0))));
                }
            }
            bucket = (bucket + boundaries.ranges()) % buckets;
        }
        return splits.build();
    }

    /** Whether the workers that read the group sort it too: then sending its rows would cost more than reading the files once more for each further worker. */
    private boolean isPortioned(FileGroup group)
    {
        return group.inputBytes() <= maxPortionedBytes && group.outputFiles() <= maxRangesPerNode / 2;
    }

    /** How many workers share a group: as many as would have nothing to do otherwise, as long as reading it that often is cheap. */
    private static int portions(int ranges, long groups, int nodes)
    {
        return (int) clamp(ceilDiv(nodes, groups), 1, min(MOST_PORTIONS, ranges));
    }

    private static List<KeySampler.Input> inputs(FileGroup group, PlannedRewrite planned, GroupFiles files)
    {
        List<KeySampler.Input> inputs = new ArrayList<>();
        List<ScannedFile> scanned = planned.files(group);
        for (int index = 0; index < scanned.size(); index++) {
            DataFileInfo info = scanned.get(index).info();
            long liveRows = max(1, info.recordCount() - info.knownDeletedRows());
            inputs.add(new KeySampler.Input(
                    files.files().get(index),
                    files.deletes(index),
                    Optional.ofNullable(scanned.get(index).file().splitOffsets()).orElse(ImmutableList.of()),
                    max(1, info.liveBytes()) / (double) liveRows));
        }
        return inputs;
    }
}
