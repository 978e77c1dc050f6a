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

import java.time.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static org.lakesteward.store.state.StateStoreException.Kind.TOO_LARGE;

/**
 * What every store takes. They are etcd's defaults (1.5 MiB for a request, 128 operations) less what the store adds to a transaction,
 * and gRPC's for answers, and hold for the others as well, so that what works with one works with all.
 */
public final class StoreLimits
{
    /** One operation and one condition are the store's own. */
    public static final int MAX_OPERATIONS = 127;
    public static final int MAX_CONDITIONS = 127;
    /** Of a transaction, as {@link Operation#bytes} counts. */
    public static final int MAX_TRANSACTION_BYTES = 1_500_000;
    /** Of a page. */
    public static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;
    public static final int MAX_KEY_BYTES = 1000;
    /** The shortest that etcd takes. */
    public static final Duration MIN_LEASE = Duration.ofSeconds(2);
    public static final Duration MAX_LEASE = Duration.ofDays(1);

    /** Revisions, lengths and the names of fields, generously. */
    static final int ENTRY_OVERHEAD = 100;

    private StoreLimits() {}

    /**
     * @throws StateStoreException when the transaction is too large
     */
    public static void check(Transaction transaction)
    {
        if (transaction.operations().size() > MAX_OPERATIONS || transaction.conditions().size() > MAX_CONDITIONS) {
            throw new StateStoreException(TOO_LARGE, "a transaction has %s operations and %s conditions, the store takes at most %s and %s".formatted(transaction.operations().size(), transaction.conditions().size(), MAX_OPERATIONS, MAX_CONDITIONS));
        }
        if (transaction.bytes() > MAX_TRANSACTION_BYTES) {
            throw new StateStoreException(TOO_LARGE, "a transaction takes %s bytes, the store takes at most %s".formatted(transaction.bytes(), MAX_TRANSACTION_BYTES));
        }
    }

    /**
     * @throws IllegalArgumentException when no key can look like this
     */
    public static String checkKey(String key)
    {
        checkArgument(key.length() <= MAX_KEY_BYTES, "key has %s characters, it may have at most %s: %s", key.length(), MAX_KEY_BYTES, key);
        return checkPrefix(key);
    }

    /**
     * Ranges have a prefix, because a lake's part of etcd holds more than this store.
     *
     * @throws IllegalArgumentException when no key can begin with this
     */
    public static String checkPrefix(String prefix)
    {
        checkArgument(!prefix.isEmpty(), "key is empty");
        checkArgument(prefix.chars().allMatch(character -> character > ' ' && character < 0x7f), "key '%s' holds a character that is not printable ASCII", prefix);
        return prefix;
    }

    /**
     * @throws IllegalArgumentException when no lease may last so long
     */
    public static Duration checkLease(Duration ttl)
    {
        checkArgument(ttl.compareTo(MIN_LEASE) >= 0 && ttl.compareTo(MAX_LEASE) <= 0, "ttl is %s, it must be between %s and %s", ttl, MIN_LEASE, MAX_LEASE);
        checkArgument(ttl.getNano() == 0, "ttl is %s, it must be whole seconds", ttl);
        return ttl;
    }
}
