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
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import org.lakesteward.planner.rewrite.FileGroup;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.Lists.partition;
import static java.util.Objects.requireNonNull;

/**
 * Hands out file groups for rewrites, and the stock connector's splits for everything else. Thread-safe.
 */
public class RewriteSplitManager
        implements ConnectorSplitManager
{
    private final ConnectorSplitManager stock;
    private final RewritePreview preview;
    private final SortSplits sortSplits;
    private final RewriteRuns runs;

    @Inject
    public RewriteSplitManager(ConnectorSplitManager stock, RewritePreview preview, SortSplits sortSplits, RewriteRuns runs)
    {
        this.stock = requireNonNull(stock, "stock is null");
        this.preview = requireNonNull(preview, "preview is null");
        this.sortSplits = requireNonNull(sortSplits, "sortSplits is null");
        this.runs = requireNonNull(runs, "runs is null");
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle table,
            Set<ColumnHandle> dynamicFilterColumns,
            Constraint constraint)
    {
        return switch (table) {
            case RewriteTableHandle rewrite -> groupSplits(session, rewrite);
            case PlanRewriteTableHandle plan -> new FixedSplitSource(partition(preview.rows(session, plan), PlanRewriteSplit.MAX_ROWS).stream().map(PlanRewriteSplit::new).toList());
            default -> stock.getSplits(transaction, session, table, dynamicFilterColumns, constraint);
        };
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        return stock.getSplits(transaction, session, function);
    }

    private ConnectorSplitSource groupSplits(ConnectorSession session, RewriteTableHandle table)
    {
        RewriteRun run = runs.require(session.getQueryId());
        if (run.settings().dryRun() || run.planned().isEmpty()) {
            return new FixedSplitSource(ImmutableList.of(), ImmutableList.of());
        }
        PlannedRewrite planned = run.planned().get();
        if (run.settings().sort().isPresent()) {
            run.setSplitsHandedOut();
            return sortSplits.splits(session, run, planned, table.getTable());
        }
        long largest = planned.plan().groups().stream().mapToLong(FileGroup::inputBytes).max().orElse(1);
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        for (FileGroup group : planned.plan().groups()) {
            splits.add(toSplit(group, planned.files(group), run.settings().options().outputSpecId(), largest));
        }
        run.setSplitsHandedOut();
        // the engine insists on information about the splits, although the run knows all of it
        return new FixedSplitSource(splits.build(), ImmutableList.of());
    }

    private static FileGroupSplit toSplit(FileGroup group, List<ScannedFile> scanned, int outputSpecId, long largestGroup)
    {
        GroupFiles files = GroupFiles.of(scanned);
        return new FileGroupSplit(
                group.id(),
                group.path(),
                files.files(),
                files.deletes(),
                group.outputFiles(),
                group.partition().specId() == outputSpecId,
                SplitWeight.fromProportion(Math.clamp(group.inputBytes() / (double) Math.max(1, largestGroup), 0.05, 1.0)));
    }
}
