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
package org.lakesteward.planner.rewrite;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

import static java.lang.Math.max;

/**
 * Options and files drawn from a seed. Sizes are chosen around the places where decisions turn: the target and its multiples, the minimum and the maximum.
 */
final class RandomPlanning
{
    private static final long MEGABYTE = ByteSize.MEGABYTE;

    private final Random random;

    RandomPlanning(long seed)
    {
        random = new Random(seed);
    }

    Random random()
    {
        return random;
    }

    /**
     * Options under which a plan is complete: no bound on a group or on the plan, no {@code rewrite_all}.
     */
    RewriteOptions unboundedOptions()
    {
        long target = MEGABYTE + random.nextInt(4) * 333_333L;
        long min = switch (random.nextInt(4)) {
            case 0 -> target;
            case 1 -> 1 + (long) (random.nextDouble() * (target - 1));
            case 2 -> target * 9 / 10;
            default -> target * 3 / 4;
        };
        long max = switch (random.nextInt(3)) {
            case 0 -> target;
            case 1 -> target + random.nextLong(target);
            default -> target * 9 / 5;
        };
        return new RewriteOptions(
                target,
                min,
                max,
                1 + random.nextInt(6),
                Long.MAX_VALUE,
                1 + random.nextInt(3),
                0.05 + 0.95 * random.nextDouble(),
                false,
                RewriteJobOrder.values()[random.nextInt(RewriteJobOrder.values().length)],
                OptionalInt.empty(),
                random.nextInt(2),
                random.nextBoolean());
    }

    /**
     * Any options.
     */
    RewriteOptions options()
    {
        RewriteOptions options = unboundedOptions();
        return new RewriteOptions(
                options.targetFileSize(),
                options.minFileSize(),
                options.maxFileSize(),
                options.minInputFiles(),
                random.nextBoolean() ? Long.MAX_VALUE : options.targetFileSize() + random.nextLong(5 * options.targetFileSize()),
                options.deleteFileThreshold(),
                options.deleteRatioThreshold(),
                random.nextInt(5) == 0,
                options.jobOrder(),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(60)),
                options.outputSpecId(),
                options.copyEnabled());
    }

    List<DataFileInfo> files(RewriteOptions options)
    {
        ImmutableList.Builder<DataFileInfo> files = ImmutableList.builder();
        int partitions = 1 + random.nextInt(4);
        int path = 0;
        for (int partition = 0; partition < partitions; partition++) {
            int count = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(15);
            int sizeKind = random.nextInt(7);
            int specId = random.nextInt(2);
            double deleted = random.nextInt(3) * random.nextDouble() / 2;
            double settled = random.nextInt(3) * random.nextDouble() / 2;
            for (int i = 0; i < count; i++) {
                long records = random.nextInt(10) == 0 ? 0 : random.nextInt(1000);
                boolean hasDeletes = random.nextDouble() < deleted;
                files.add(new DataFileInfo(
                        "f" + path,
                        size(options, random.nextInt(5) == 0 ? random.nextInt(7) : sizeKind),
                        records,
                        specId,
                        "p" + partition,
                        random.nextInt(20),
                        random.nextDouble() < settled,
                        hasDeletes ? random.nextInt(3) : 0,
                        hasDeletes ? random.nextInt(2) : 0,
                        hasDeletes ? random.nextLong(records + 2) : 0,
                        random.nextInt(4) == 0 ? Optional.of("has obstacle " + random.nextInt(2)) : Optional.empty()));
                path++;
            }
        }
        return files.build();
    }

    private long size(RewriteOptions options, int kind)
    {
        long target = options.targetFileSize();
        return switch (kind) {
            case 0 -> random.nextLong(target / 20);
            case 1 -> random.nextLong(target);
            case 2 -> random.nextLong(4 * target);
            case 3 -> max(0, options.minFileSize() - 1 - random.nextInt(3));
            case 4 -> options.maxFileSize() + random.nextInt(2);
            // shares of a target that add up to whole targets
            case 5 -> target / (1 + random.nextInt(5));
            default -> max(0, options.minFileSize() - random.nextLong(target / 5));
        };
    }

    /**
     * How large outputs come out, as a share of their prediction: within 0.5 to 1.2, the ends included.
     */
    double ratio()
    {
        return switch (random.nextInt(6)) {
            case 0 -> 0.5;
            case 1 -> 1.2;
            case 2 -> 1;
            default -> 0.5 + 0.7 * random.nextDouble();
        };
    }
}
