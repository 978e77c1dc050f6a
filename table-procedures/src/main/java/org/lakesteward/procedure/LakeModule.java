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
package org.lakesteward.procedure;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.Multibinder;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.function.table.ConnectorTableFunction;
import org.lakesteward.procedure.health.HealthModule;
import org.lakesteward.procedure.policy.PolicyStatements;
import org.lakesteward.procedure.rewrite.ConflictFinder;
import org.lakesteward.procedure.rewrite.GroupPermits;
import org.lakesteward.procedure.rewrite.GroupResult;
import org.lakesteward.procedure.rewrite.KeySampler;
import org.lakesteward.procedure.rewrite.LakePartitioningProvider;
import org.lakesteward.procedure.rewrite.OutputSinkFactory;
import org.lakesteward.procedure.rewrite.PlacedFileWriterFactory;
import org.lakesteward.procedure.rewrite.PlanRewriteFunction;
import org.lakesteward.procedure.rewrite.RewriteArgumentsReader;
import org.lakesteward.procedure.rewrite.RewriteCleanup;
import org.lakesteward.procedure.rewrite.RewriteCommitter;
import org.lakesteward.procedure.rewrite.RewriteConfig;
import org.lakesteward.procedure.rewrite.RewriteDataFilesProcedure;
import org.lakesteward.procedure.rewrite.RewritePageSinkProvider;
import org.lakesteward.procedure.rewrite.RewritePageSourceProviderFactory;
import org.lakesteward.procedure.rewrite.RewritePreview;
import org.lakesteward.procedure.rewrite.RewriteRuns;
import org.lakesteward.procedure.rewrite.RewriteScanner;
import org.lakesteward.procedure.rewrite.RewriteSplitManager;
import org.lakesteward.procedure.rewrite.RewriteStatements;
import org.lakesteward.procedure.rewrite.RewriteStats;
import org.lakesteward.procedure.rewrite.SortFragment;
import org.lakesteward.procedure.rewrite.SortResults;
import org.lakesteward.procedure.rewrite.SortSinkFactory;
import org.lakesteward.procedure.rewrite.SortSplits;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.airlift.json.JsonCodecBinder.jsonCodecBinder;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/**
 * What the lake connector adds to the stock connector's own injector.
 */
class LakeModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(RewriteConfig.class);
        jsonCodecBinder(binder).bindJsonCodec(GroupResult.class);
        jsonCodecBinder(binder).bindJsonCodec(SortFragment.class);

        binder.bind(LakeMetadataFactory.class).in(Scopes.SINGLETON);
        binder.bind(RewriteStatements.class).in(Scopes.SINGLETON);
        binder.bind(RewriteArgumentsReader.class).in(Scopes.SINGLETON);
        binder.bind(RewriteScanner.class).in(Scopes.SINGLETON);
        binder.bind(RewriteCommitter.class).in(Scopes.SINGLETON);
        binder.bind(ConflictFinder.class).in(Scopes.SINGLETON);
        binder.bind(RewriteCleanup.class).in(Scopes.SINGLETON);
        binder.bind(RewritePreview.class).in(Scopes.SINGLETON);
        binder.bind(RewriteRuns.class).in(Scopes.SINGLETON);
        binder.bind(RewriteSplitManager.class).in(Scopes.SINGLETON);
        binder.bind(RewritePageSourceProviderFactory.class).in(Scopes.SINGLETON);
        binder.bind(RewritePageSinkProvider.class).in(Scopes.SINGLETON);
        binder.bind(LakePartitioningProvider.class).in(Scopes.SINGLETON);
        binder.bind(KeySampler.class).in(Scopes.SINGLETON);
        binder.bind(SortSplits.class).in(Scopes.SINGLETON);
        binder.bind(SortResults.class).in(Scopes.SINGLETON);
        binder.bind(OutputSinkFactory.class).in(Scopes.SINGLETON);
        binder.bind(SortSinkFactory.class).in(Scopes.SINGLETON);
        binder.bind(PlacedFileWriterFactory.class).in(Scopes.SINGLETON);
        binder.bind(GroupPermits.class).in(Scopes.SINGLETON);
        binder.bind(RewriteStats.class).in(Scopes.SINGLETON);
        newExporter(binder).export(RewriteStats.class).withGeneratedName();

        binder.bind(PolicyStatements.class).in(Scopes.SINGLETON);
        binder.install(new HealthModule());

        Multibinder<TableProcedureMetadata> procedures = newSetBinder(binder, TableProcedureMetadata.class);
        procedures.addBinding().toProvider(RewriteDataFilesProcedure.class).in(Scopes.SINGLETON);

        newSetBinder(binder, ConnectorTableFunction.class).addBinding().toProvider(PlanRewriteFunction.class).in(Scopes.SINGLETON);
    }
}
