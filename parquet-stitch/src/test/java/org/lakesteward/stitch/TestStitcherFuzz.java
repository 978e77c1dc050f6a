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
package org.lakesteward.stitch;

import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchTester.Stitched;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Stitches random files of random schemas. A longer run: {@code -Dstitch.fuzz.runs=10000 -Dstitch.fuzz.seed=1}.
 */
public class TestStitcherFuzz
{
    private static final long SEED = Long.getLong("stitch.fuzz.seed", 20261130);
    private static final int RUNS = Integer.getInteger("stitch.fuzz.runs", 40);

    @Test
    public void testRandomFiles()
    {
        for (int run = 0; run < RUNS; run++) {
            long seed = SEED + run;
            try {
                stitchRandomFiles(seed);
            }
            catch (Exception | AssertionError e) {
                throw new AssertionError("Run with seed %s failed; repeat with -Dstitch.fuzz.seed=%s -Dstitch.fuzz.runs=1".formatted(seed, seed), e);
            }
        }
    }

    private static void stitchRandomFiles(long seed)
            throws Exception
    {
        Random random = new Random(seed);
        RandomFiles source = new RandomFiles(random);
        MessageType schema = source.schema();
        List<byte[]> files = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int index = 0; index < count; index++) {
            files.add(source.file(schema));
        }
        Stitched stitched = StitchTester.stitch(files, source.codec(), source.options());
        if (random.nextInt(3) == 0) {
            StitchTester.stitch(List.of(stitched.file(), files.getFirst(), stitched.file()), source.codec(), source.options());
        }
    }
}
