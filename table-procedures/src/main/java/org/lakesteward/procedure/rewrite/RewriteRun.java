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

import io.trino.plugin.iceberg.procedure.IcebergTableExecuteHandle;
import io.trino.spi.connector.ConnectorSession;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What the coordinator knows of a rewrite_data_files statement from its analysis to its end.
 * Written by the thread that plans and the one that finishes, one after the other; the fields that change are volatile.
 */
final class RewriteRun
{
    private final ConnectorSession session;
    private final IcebergTableExecuteHandle writer;
    private final RewriteSettings settings;
    private volatile Optional<PlannedRewrite> planned = Optional.empty();
    private volatile boolean splitsHandedOut;
    private volatile FileFate fate = FileFate.UNREFERENCED;

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

    /** From here on workers may write files; EXPLAIN never gets here. */
    void setSplitsHandedOut()
    {
        splitsHandedOut = true;
    }

    boolean splitsHandedOut()
    {
        return splitsHandedOut;
    }

    FileFate fate()
    {
        return fate;
    }

    void setFate(FileFate fate)
    {
        this.fate = requireNonNull(fate, "fate is null");
    }

    /** What is known about the files that the statement wrote. */
    enum FileFate
    {
        /** No snapshot refers to them: nothing was committed, or the commit is known to have failed. */
        UNREFERENCED,
        /** A commit is under way or its outcome is unknown: none may be deleted. */
        POSSIBLY_REFERENCED,
        /** Committed, and what was not committed has been dealt with. */
        SETTLED,
    }
}
