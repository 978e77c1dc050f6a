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
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Makes the rows of plan_rewrite. Thread-safe.
 */
public class RewritePreview
{
    private final TrinoCatalogFactory catalogFactory;
    private final RewriteScanner scanner;

    @Inject
    public RewritePreview(TrinoCatalogFactory catalogFactory, RewriteScanner scanner)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.scanner = requireNonNull(scanner, "scanner is null");
    }

    List<PlanRewriteRow> rows(ConnectorSession session, PlanRewriteTableHandle handle)
    {
        BaseTable table = catalogFactory.create(session.getIdentity()).loadTable(session, handle.table());
        Snapshot snapshot = table.currentSnapshot();
        if (snapshot == null) {
            return ImmutableList.of();
        }
        PlannedRewrite planned = scanner.plan(session, table, snapshot, RewriteFilter.ALL, handle.settings());
        ImmutableList.Builder<PlanRewriteRow> rows = ImmutableList.builder();
        planned.plan().groups().forEach(group -> rows.add(PlanRewriteRow.of(group, planned)));
        planned.plan().leftAlone().forEach(leftAlone -> rows.add(PlanRewriteRow.of(leftAlone)));
        return rows.build();
    }
}
