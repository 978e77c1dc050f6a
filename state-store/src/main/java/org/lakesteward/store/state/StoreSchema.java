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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.store.state.RecordReading.Damaged;
import org.lakesteward.store.state.RecordReading.Readable;
import org.lakesteward.store.state.RecordReading.TooNew;
import org.lakesteward.store.state.StateStoreException.Kind;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The form of the store as a whole, in the key {@code schema}. A version that writes records which older ones must not overwrite unread
 * raises it first; the others see it, and the condition that they write under no longer holds.
 */
public sealed interface StoreSchema
{
    /**
     * @param guard holds while nobody has raised the schema; belongs into every transaction that puts records without having read them
     */
    record Usable(Condition guard)
            implements StoreSchema
    {
        public Usable
        {
            requireNonNull(guard, "guard is null");
        }
    }

    /**
     * The store was used by a newer version, or its schema cannot be read: nothing may be written.
     *
     * @param problem one sentence
     */
    record Unusable(String problem)
            implements StoreSchema
    {
        public Unusable
        {
            requireNonNull(problem, "problem is null");
        }
    }

    /**
     * Sees to it that the store has this schema, which it gets when it is empty or of an older one.
     *
     * @throws StateStoreException as {@link StateStore#commit}; trying again does no harm
     */
    static StoreSchema claim(StateStore store, int schema)
    {
        RecordCodec<Boolean> codec = new RecordCodec<>("schema", schema, ImmutableSet.of(), _ -> true, (_, _) -> {});
        // somebody else may claim it at the same moment, once for each schema
        for (int tries = 0; tries <= schema; tries++) {
            Optional<StoreEntry> entry = store.get(StateKeys.SCHEMA);
            if (entry.isEmpty()) {
                TransactionResult result = store.commit(Transaction.builder()
                        .require(Condition.absent(StateKeys.SCHEMA))
                        .put(StateKeys.SCHEMA, codec.write(true))
                        .build());
                if (result instanceof TransactionResult.Committed committed) {
                    return new Usable(new Condition.ModifiedAt(StateKeys.SCHEMA, committed.revision()));
                }
                continue;
            }
            switch (codec.read(entry.get())) {
                case TooNew<Boolean> tooNew -> {
                    return new Unusable(tooNew.problem());
                }
                case Damaged<Boolean> damaged -> {
                    return new Unusable(damaged.problem());
                }
                case Readable<Boolean> readable -> {
                    if (readable.document().path("schema").asInt() == schema) {
                        return new Usable(Condition.unchanged(entry.get()));
                    }
                    if (codec.replace(readable, true, Optional.empty()) instanceof RecordReplacement.Allowed allowed) {
                        TransactionResult result = store.commit(allowed.under(ImmutableList.of()));
                        if (result instanceof TransactionResult.Committed committed) {
                            return new Usable(new Condition.ModifiedAt(StateKeys.SCHEMA, committed.revision()));
                        }
                    }
                }
            }
        }
        throw new StateStoreException(Kind.UNAVAILABLE, "the schema of the store is changed by others again and again");
    }
}
