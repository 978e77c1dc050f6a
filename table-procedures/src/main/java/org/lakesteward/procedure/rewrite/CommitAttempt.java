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

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

import java.util.function.BiConsumer;

import static java.util.Objects.requireNonNull;

/**
 * The operations of a table through which one commit goes, and what is known of its outcome. The exception that a commit ends with cannot tell
 * by itself: the same one can come from preparing the commit, from the catalog, or from what follows the commit.
 * <p>
 * Used by one thread at a time.
 */
final class CommitAttempt
        implements TableOperations
{
    private final TableOperations delegate;
    private final BiConsumer<TableMetadata, TableMetadata> check;
    private Outcome outcome = Outcome.NOT_COMMITTED;

    /** @param check sees the old and the new metadata right before each try to commit; what it throws prevents the commit */
    CommitAttempt(TableOperations delegate, BiConsumer<TableMetadata, TableMetadata> check)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.check = requireNonNull(check, "check is null");
    }

    Outcome outcome()
    {
        return outcome;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata)
    {
        check.accept(base, metadata);
        outcome = Outcome.UNKNOWN;
        try {
            delegate.commit(base, metadata);
            outcome = Outcome.COMMITTED;
        }
        catch (RuntimeException e) {
            // Iceberg's marker of failures after which it is certain that nothing was committed
            if (e instanceof CleanableFailure) {
                outcome = Outcome.NOT_COMMITTED;
            }
            throw e;
        }
    }

    @Override
    public TableMetadata current()
    {
        return delegate.current();
    }

    @Override
    public TableMetadata refresh()
    {
        return delegate.refresh();
    }

    @Override
    public FileIO io()
    {
        return delegate.io();
    }

    @Override
    public EncryptionManager encryption()
    {
        return delegate.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName)
    {
        return delegate.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider()
    {
        return delegate.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommittedMetadata)
    {
        return delegate.temp(uncommittedMetadata);
    }

    @Override
    public long newSnapshotId()
    {
        return delegate.newSnapshotId();
    }

    @Override
    public boolean requireStrictCleanup()
    {
        return delegate.requireStrictCleanup();
    }

    enum Outcome
    {
        /** The catalog was not asked, or has refused. */
        NOT_COMMITTED,
        /** The catalog has committed. What failed came later. */
        COMMITTED,
        /** The catalog was asked and did not say. */
        UNKNOWN,
    }
}
