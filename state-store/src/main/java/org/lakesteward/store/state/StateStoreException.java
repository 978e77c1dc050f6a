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
 * An operation of the store that did not succeed. The message is one sentence without secrets.
 */
public class StateStoreException
        extends RuntimeException
{
    /**
     * With all of them but {@code UNKNOWN_OUTCOME}, nothing was changed.
     */
    public enum Kind
    {
        /** The store was not reached or did not answer. Trying again may help. */
        UNAVAILABLE,
        /** The answer to a change was lost, and so was that to the question what became of it. Only {@link UnknownOutcomeException} has it. */
        UNKNOWN_OUTCOME,
        /** The request, or the answer to it, exceeds the limits of the store. A smaller one may succeed. */
        TOO_LARGE,
        /** The revision can no longer be read, or is one that the store has not seen. What holds now can be read. */
        COMPACTED,
        /** The lease is over, by the holder's own clock or as the store says. It does not come back. */
        LEASE_LOST,
        /** The store answered that it will not do this: no right, no space. */
        REFUSED,
        /** Another process has the store, and only one can. */
        LOCKED,
        /** This store was closed. */
        CLOSED,
    }

    private final Kind kind;

    public StateStoreException(Kind kind, String message)
    {
        this(kind, message, null);
    }

    public StateStoreException(Kind kind, String message, Throwable cause)
    {
        super(message, cause);
        this.kind = requireNonNull(kind, "kind is null");
    }

    public Kind kind()
    {
        return kind;
    }
}
