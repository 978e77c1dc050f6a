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
package org.lakesteward.store.etcd;

import static java.util.Objects.requireNonNull;

/**
 * An operation of etcd that did not succeed. The message is one sentence without secrets.
 */
public class EtcdFailure
        extends RuntimeException
{
    public enum Kind
    {
        /** No answer came: nobody was reached, or the answer was lost or late. A write may have taken place, or may yet. */
        NO_ANSWER,
        /** The revision that was asked for has been compacted. Nothing was changed. */
        COMPACTED,
        /** The lease has expired or was revoked. Nothing was changed. */
        LEASE_GONE,
        /** etcd answered that the request itself cannot be: it is too large or has too many operations. Nothing was changed. */
        INVALID,
        /** The answer is larger than the connection takes, or etcd has no space or is asked too much. A write may have taken place. */
        EXHAUSTED,
        /** etcd answered that it will not do this. Nothing was changed. */
        REFUSED,
    }

    private final Kind kind;

    public EtcdFailure(Kind kind, String message, Throwable cause)
    {
        super(message, cause);
        this.kind = requireNonNull(kind, "kind is null");
    }

    public Kind kind()
    {
        return kind;
    }
}
