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
package org.lakesteward.store.state;

import static java.util.Objects.requireNonNull;

/**
 * A transaction may have taken place, or may yet, until {@link StateStore#resolve} has said what became of it.
 */
public final class UnknownOutcomeException
        extends StateStoreException
{
    private final transient TransactionId transaction;

    public UnknownOutcomeException(TransactionId transaction, String message, Throwable cause)
    {
        super(Kind.UNKNOWN_OUTCOME, message, cause);
        this.transaction = requireNonNull(transaction, "transaction is null");
    }

    public TransactionId transaction()
    {
        return transaction;
    }
}
