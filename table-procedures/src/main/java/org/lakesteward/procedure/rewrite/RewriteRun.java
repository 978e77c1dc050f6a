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
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.plugin.iceberg.procedure.IcebergTableExecuteHandle;
import io.trino.spi.Node;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_COMMIT_FAILED;

/**
 * What the coordinator knows of a rewrite_data_files statement from its analysis to its end.
 * Thread-safe: a cancelled statement can end while another thread still commits it.
 */
final class RewriteRun
{
    private final ConnectorSession session;
    private final IcebergTableExecuteHandle writer;
    private final RewriteSettings settings;
    private volatile Optional<PlannedRewrite> planned = Optional.empty();
    private volatile boolean splitsHandedOut;
    @GuardedBy("this")
    private List<Node> bucketNodes;
    @GuardedBy("this")
    private FileFate fate = FileFate.UNREFERENCED;
    @GuardedBy("this")
    private boolean over;

    RewriteRun(ConnectorSession session, IcebergTableExecuteHandle writer, RewriteSettings settings)
    {
        this.session = requireNonNull(session, "session is null");
        this.writer = requireNonNull(writer, "writer is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    ConnectorSession session()
    {
        return session;
    }

    IcebergTableExecuteHandle writer()
    {
        return writer;
    }

    RewriteSettings settings()
    {
        return settings;
    }

    Optional<PlannedRewrite> planned()
    {
        return planned;
    }

    void setPlanned(PlannedRewrite planned)
    {
        this.planned = Optional.of(planned);
    }

    /** The node of each bucket of a sort, which must not change while the statement runs. */
    synchronized List<Node> bucketNodes(Supplier<List<Node>> nodes)
    {
        if (bucketNodes == null) {
            bucketNodes = ImmutableList.copyOf(nodes.get());
        }
        return bucketNodes;
    }

    /** From here on workers may write files; EXPLAIN never gets here. */
    void setSplitsHandedOut()
    {
        splitsHandedOut = true;
    }

    boolean splitsHandedOut()
    {
        return splitsHandedOut;
    }

    /**
     * A commit begins: from here on a snapshot may refer to the files.
     *
     * @throws TrinoException when the statement is over already, so that its files are being deleted
     */
    synchronized void beginCommit()
    {
        if (fate == FileFate.ABANDONED) {
            throw new TrinoException(REWRITE_COMMIT_FAILED, "Query %s ended before its rewrite of table %s was committed; nothing was changed".formatted(session.getQueryId(), writer.schemaTableName()));
        }
        fate = FileFate.POSSIBLY_REFERENCED;
    }

    /**
     * The commit that was under way is known to have failed.
     *
     * @return whether the statement is over, so that the caller deletes the files
     */
    synchronized boolean commitFailed()
    {
        checkState(fate == FileFate.POSSIBLY_REFERENCED, "fate is %s", fate);
        fate = over ? FileFate.ABANDONED : FileFate.UNREFERENCED;
        return over;
    }

    /** Whether it is certain that no snapshot refers to the files. */
    synchronized boolean isUnreferenced()
    {
        return fate == FileFate.UNREFERENCED || fate == FileFate.ABANDONED;
    }

    /** Committed, and what was not committed has been dealt with. */
    synchronized void settle()
    {
        fate = FileFate.SETTLED;
    }

    /**
     * The statement is over, which can happen while another thread still commits it.
     *
     * @return what is known about its files now
     */
    synchronized FileFate end()
    {
        over = true;
        if (fate == FileFate.UNREFERENCED) {
            fate = FileFate.ABANDONED;
        }
        return fate;
    }

    /** What is known about the files that the statement wrote. */
    enum FileFate
    {
        /** No snapshot refers to them: nothing was committed yet, or the commit is known to have failed. */
        UNREFERENCED,
        /** A commit is under way or its outcome is unknown: none may be deleted. */
        POSSIBLY_REFERENCED,
        /** Committed, and what was not committed has been dealt with. */
        SETTLED,
        /** No snapshot refers to them, and none ever will: they may be deleted. */
        ABANDONED,
    }
}
