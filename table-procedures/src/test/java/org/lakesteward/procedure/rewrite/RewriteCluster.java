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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Injector;
import io.trino.client.FailureException;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingConnectorSession;
import org.lakesteward.procedure.LakeErrorCode;
import org.lakesteward.procedure.LakeQueryRunner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Sets.difference;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A cluster of one node on which tests decide what happens between the steps of a rewrite. Used by one test thread.
 */
final class RewriteCluster
        implements AutoCloseable
{
    private static final int PERMITS = 2;

    private final CommitInterceptor commits = new CommitInterceptor();
    private final ExecutorService executor = newCachedThreadPool(daemonThreadsNamed("rewrite-test-%s"));
    private final DistributedQueryRunner queryRunner;
    private final OutsideWriter outside;

    RewriteCluster()
            throws Exception
    {
        this(ImmutableMap.of());
    }

    /** @param properties of the catalog, besides those that the cluster needs */
    RewriteCluster(Map<String, String> properties)
            throws Exception
    {
        queryRunner = LakeQueryRunner.create(
                0,
                ImmutableMap.<String, String>builder()
                        .putAll(properties)
                        .put("rewrite.max-groups-per-node", Integer.toString(PERMITS))
                        .buildOrThrow(),
                Optional.of(commits));
        Injector injector = commits.injectors().getFirst();
        outside = new OutsideWriter(
                injector.getInstance(TrinoCatalogFactory.class),
                TestingConnectorSession.builder()
                        .setPropertyMetadata(queryRunner.getCoordinator().getConnector("lake").getSessionProperties())
                        .build(),
                LakeQueryRunner.SCHEMA);
    }

    DistributedQueryRunner queryRunner()
    {
        return queryRunner;
    }

    OutsideWriter outside()
    {
        return outside;
    }

    CommitInterceptor commits()
    {
        return commits;
    }

    ExecutorService executor()
    {
        return executor;
    }

    void execute(String sql)
    {
        queryRunner.execute(sql);
    }

    List<Object> column(String sql)
    {
        return queryRunner.execute(sql).getOnlyColumn().toList();
    }

    Object scalar(String sql)
    {
        return queryRunner.execute(sql).getOnlyValue();
    }

    /** The metric rows of a rewrite. */
    Map<String, Long> rewrite(String table, String arguments)
    {
        ImmutableMap.Builder<String, Long> metrics = ImmutableMap.builder();
        for (MaterializedRow row : queryRunner.execute("ALTER TABLE %s EXECUTE rewrite_data_files%s".formatted(table, arguments)).getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics.buildOrThrow();
    }

    /** Does something after a rewrite is planned and before any of its groups is written. */
    Map<String, Long> rewriteDuring(String table, String arguments, Runnable action)
    {
        GroupPermits permits = commits.injectors().getFirst().getInstance(GroupPermits.class);
        List<GroupPermits.Permit> held = new ArrayList<>();
        Future<Map<String, Long>> rewrite;
        try {
            for (int i = 0; i < PERMITS; i++) {
                held.add(permits.acquire());
            }
            rewrite = executor.submit(() -> rewrite(table, arguments));
            await(() -> permits.getWaiting() > 0 || rewrite.isDone());
            assertThat(rewrite.isDone()).as("rewrite is over before it was held up").isFalse();
            action.run();
        }
        finally {
            held.forEach(GroupPermits.Permit::close);
        }
        return get(rewrite);
    }

    static <T> T get(Future<T> future)
    {
        try {
            return future.get(100, SECONDS);
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new RuntimeException(e.getCause());
        }
        catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    /** Waits for a condition that comes true by itself; fails after a minute. */
    static void await(BooleanSupplier condition)
    {
        long deadline = System.nanoTime() + SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            try {
                MILLISECONDS.sleep(20);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RuntimeException(e);
            }
        }
    }

    /** Runs a statement that must fail with this error, and gives the message. */
    static String failure(LakeErrorCode code, Runnable statement)
    {
        Throwable failure = catchThrowable(statement::run);
        assertThat(failure).as("failure").isNotNull();
        assertThat(failure.getCause()).as(failure.toString()).isInstanceOfSatisfying(FailureException.class, e ->
                assertThat(e.getFailureInfo().getErrorInfo().getName()).as(e.getMessage()).isEqualTo(code.name()));
        return failure.getMessage();
    }

    /** Data and delete files in the table's folder that no snapshot has. */
    Set<Path> unaccountedFiles(String table)
    {
        Path folder = LakeQueryRunner.folder(queryRunner);
        Set<Path> reachable = outside.reachableFiles(table).stream()
                .map(location -> folder.resolve(location.replaceFirst("^local:/+", "")))
                .collect(toImmutableSet());
        return ImmutableSet.copyOf(difference(LakeQueryRunner.dataFiles(queryRunner, outside.load(table).location()), reachable));
    }

    @Override
    public void close()
    {
        executor.shutdownNow();
        queryRunner.close();
    }
}
