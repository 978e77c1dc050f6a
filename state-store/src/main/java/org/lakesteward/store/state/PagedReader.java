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

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StateStoreException.Kind.TOO_LARGE;

/**
 * Reads ranges of any size at one revision, in pages that are bounded by keys and by bytes. A store bounds its answers by keys
 * alone and fails where they are too large, so the reader looks for a number of keys that gives the bytes: it begins
 * with {@value #FIRST_PAGE_KEYS} keys, halves the number after a page of more than {@value #TARGET_PAGE_BYTES} bytes or one that was too large to be
 * sent, and doubles it after one of less than half of that. Thread-safe.
 */
public final class PagedReader
{
    static final int FIRST_PAGE_KEYS = 512;
    static final int MAX_PAGE_KEYS = 16_384;
    static final int TARGET_PAGE_BYTES = 1024 * 1024;

    private final StateStore store;

    public PagedReader(StateStore store)
    {
        this.store = requireNonNull(store, "store is null");
    }

    /**
     * @param revision empty for now
     * @param consumer gets the entries in the order of their keys; when the reading fails, it has got some of them
     * @return the revision that the entries belong to
     * @throws StateStoreException as {@link StateStore#page}; {@code COMPACTED} also when the store forgot the revision between two pages: read
     * anew
     */
    public long read(String prefix, OptionalLong revision, Consumer<StoreEntry> consumer)
    {
        OptionalLong at = revision;
        Optional<String> after = Optional.empty();
        int pageKeys = FIRST_PAGE_KEYS;
        while (true) {
            Page page;
            try {
                page = store.page(prefix, after, at, pageKeys);
            }
            catch (StateStoreException e) {
                if (e.kind() != TOO_LARGE || pageKeys == 1) {
                    throw e;
                }
                pageKeys /= 2;
                continue;
            }
            page.entries().forEach(consumer);
            if (!page.more()) {
                return page.revision();
            }
            at = OptionalLong.of(page.revision());
            after = Optional.of(page.entries().getLast().key());
            pageKeys = nextPageKeys(pageKeys, page.bytes());
        }
    }

    static int nextPageKeys(int pageKeys, long pageBytes)
    {
        if (pageBytes > TARGET_PAGE_BYTES) {
            return Math.max(1, pageKeys / 2);
        }
        if (pageBytes < TARGET_PAGE_BYTES / 2) {
            return Math.min(MAX_PAGE_KEYS, pageKeys * 2);
        }
        return pageKeys;
    }
}
