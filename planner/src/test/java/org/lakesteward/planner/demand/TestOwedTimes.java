package org.lakesteward.planner.demand;

import com.google.common.primitives.ImmutableLongArray;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

public class TestOwedTimes
{
    private static final long FIRST_SEED = 20_260_301;
    private static final int RUNS = 2_000;
    private static final long START = 1_772_000_000_000L;

    @Test
    public void testUnionIsAJoin()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<Long> times = times(random);
            ImmutableLongArray all = kept(times);

            Collections.shuffle(times, random);
            assertThat(kept(times)).as("other order, seed %s", seed).isEqualTo(all);

            int cut = random.nextInt(times.size() + 1);
            ImmutableLongArray one = kept(times.subList(0, cut));
            ImmutableLongArray other = kept(times.subList(cut, times.size()));
            assertThat(OwedTimes.union(one, other)).as("two parts, seed %s", seed).isEqualTo(all);
            assertThat(OwedTimes.union(other, one)).as("two parts swapped, seed %s", seed).isEqualTo(all);
            assertThat(OwedTimes.union(all, one)).as("a part again, seed %s", seed).isEqualTo(all);
        }
    }

    @Test
    public void testStaysSmall()
    {
        ImmutableLongArray kept = kept(LongStream.range(0, 100_000).mapToObj(minute -> START + minute * 60_000).toList());
        assertThat(kept.length()).isBetween(OwedTimes.LEVELS, OwedTimes.LEVELS * OwedTimes.BUCKETS);
        // 69 days of it: the newest two buckets of the highest level begin at least one span ago
        long highest = Duration.ofMinutes(15).toMillis() << (OwedTimes.LEVELS - 1);
        assertThat(kept.get(kept.length() - 1) - kept.get(0)).isGreaterThan(highest);
    }

    /**
     * However the debt came and went, the kept times never claim a longer wait than the true one, and claim a quarter of it at least.
     */
    @Test
    public void testWaitIsAtMostTheTrueOneAndAtLeastAQuarter()
    {
        int cut = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            long step = 60_000L * (1 + random.nextInt(20));
            int steps = 10 + random.nextInt(500);
            List<Long> times = new ArrayList<>();
            for (int index = 0; index < steps; index++) {
                times.add(START + index * step);
            }
            int clean = random.nextInt(steps - 1);
            long cleanAt = times.get(clean) + 1;
            long trueSince = times.get(clean + 1);
            long now = times.getLast();
            ImmutableLongArray kept = kept(times);
            // as KindRecord does: where no kept time is late enough, the newest version counts
            long since = kept.stream().filter(time -> time > cleanAt).min().orElse(now);
            assertThat(since).as("seed %s", seed).isGreaterThanOrEqualTo(trueSince);
            // up to the shortest bucket and the distance between two observations, nothing is finer
            long slack = Duration.ofMinutes(30).toMillis() + step;
            assertThat(now - since + slack).as("wait, seed %s", seed).isGreaterThanOrEqualTo((now - trueSince) / 4);
            cut += since > trueSince ? 1 : 0;
        }
        assertThat(cut).as("runs in which the beginning was not known exactly").isGreaterThan(RUNS / 10);
    }

    private static List<Long> times(Random random)
    {
        List<Long> times = new ArrayList<>();
        int count = random.nextInt(60);
        long span = 60_000L << random.nextInt(16);
        for (int index = 0; index < count; index++) {
            times.add(START + random.nextLong(span));
        }
        return times;
    }

    private static ImmutableLongArray kept(List<Long> times)
    {
        ImmutableLongArray kept = ImmutableLongArray.of();
        for (long time : times) {
            kept = OwedTimes.union(kept, ImmutableLongArray.of(time));
        }
        return kept;
    }
}
