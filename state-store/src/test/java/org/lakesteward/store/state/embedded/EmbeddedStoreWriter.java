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
package org.lakesteward.store.state.embedded;

import com.google.common.base.Ticker;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.Transaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes to a store until it is killed, and says which transactions were answered.
 */
public final class EmbeddedStoreWriter
{
    static final int PARTS = 20;
    /** Now and then one that is larger than MVStore's own buffers. */
    private static final int SMALL = 100;
    private static final int LARGE = 70_000;

    private EmbeddedStoreWriter() {}

    /**
     * @param arguments the folder, and {@code safe}, or {@code naive} for one that relies on what MVStore saves by itself
     */
    public static void main(String[] arguments)
            throws IOException
    {
        Path folder = Path.of(arguments[0]);
        if (arguments[1].equals("naive")) {
            writeNaively(folder);
        }
        try (StateStore store = new EmbeddedStateStore(folder, Ticker.systemTicker())) {
            for (int transaction = 0; ; transaction++) {
                Transaction.Builder builder = Transaction.builder();
                for (int part = 0; part < PARTS; part++) {
                    builder.put("part/%06d/%02d".formatted(transaction, part), value(transaction, transaction % 20 == 19 ? LARGE : SMALL));
                }
                store.commit(builder.put("last", value(transaction, SMALL)).build());
                System.out.println(transaction);
            }
        }
        catch (StateStoreException e) {
            System.out.println(e.kind());
        }
    }

    private static byte[] value(int transaction, int length)
    {
        return ByteBuffer.allocate(length).putInt(transaction).array();
    }

    private static void writeNaively(Path folder)
            throws IOException
    {
        Files.createDirectories(folder);
        MVMap<Integer, byte[]> map = MVStore.open(folder.resolve("naive.db").toString()).openMap("entries");
        for (int transaction = 0; ; transaction++) {
            map.put(transaction, value(transaction, SMALL));
            System.out.println(transaction);
        }
    }

    static int naiveTransactions(Path folder)
    {
        try (MVStore store = MVStore.open(folder.resolve("naive.db").toString())) {
            return store.openMap("entries").size();
        }
    }
}
