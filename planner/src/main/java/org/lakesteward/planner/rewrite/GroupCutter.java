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

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.abs;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;
import static java.lang.Math.toIntExact;

/**
 * Cuts an ordered list of files that become {@code n} outputs into consecutive groups, as many as the file boundaries allow.
 * <p>
 * With {@code B} live bytes and target {@code T}, an output is {@code s = B / n} bytes, at most {@code T}. A cut that stands for output {@code k} lies at
 * the file boundary nearest to {@code k * s}, within a tenth of {@code s}, so that outputs come out alike. Where there is no such boundary the group goes
 * on and gets one output more. Hence the outputs of all groups add up to {@code n} exactly, many small files become {@code n} groups of one output, and
 * large files become fewer groups of several outputs.
 * <p>
 * Besides, no group may need an output above the target; that is what makes planning idempotent, see {@link RewritePlanner}. Call
 * {@code k * T - (bytes before the cut)} the slack that is spent up to a cut. A group's outputs fit exactly when the slack spent does not fall from its
 * start to its end, and all of it is {@code n * T - B}. So the cuts to make are a longest sequence of candidates whose spent slack does not fall, which
 * patience sorting finds in {@code O(n log n)}. The price: where targets are all but full, fewer boundaries qualify, and groups are larger.
 * <p>
 * A group whose input is above the cap is then cut again, each piece filled up to the cap. Only this can raise the number of outputs.
 */
final class GroupCutter
{
    private static final double TOLERANCE = 0.1;

    private final long targetFileSize;
    private final long maxFileGroupSize;

    GroupCutter(long targetFileSize, long maxFileGroupSize)
    {
        this.targetFileSize = targetFileSize;
        this.maxFileGroupSize = maxFileGroupSize;
    }

    /**
     * A run of files from index {@code from} up to but not including {@code to}.
     */
    record Slice(int from, int to, int outputFiles)
    {
        Slice
        {
            checkArgument(0 <= from && from < to, "empty slice from %s to %s", from, to);
            checkArgument(outputFiles >= 1, "outputFiles is below 1: %s", outputFiles);
        }
    }

    /**
     * How many files {@code liveBytes} of rows become: as few as the target allows, at least 1.
     */
    static long outputFiles(long liveBytes, long targetFileSize)
    {
        return max(1, ceilDiv(liveBytes, targetFileSize));
    }

    List<Slice> cut(List<DataFileInfo> files)
    {
        ImmutableList.Builder<Slice> slices = ImmutableList.builder();
        for (Slice slice : cutAtOutputs(files)) {
            if (inputBytes(files, slice) <= maxFileGroupSize) {
                slices.add(slice);
            }
            else {
                slices.addAll(cutAtCap(files, slice));
            }
        }
        return slices.build();
    }

    private List<Slice> cutAtOutputs(List<DataFileInfo> files)
    {
        long total = files.stream().mapToLong(DataFileInfo::liveBytes).sum();
        long outputs = outputFiles(total, targetFileSize);
        if (outputs == 1) {
            return ImmutableList.of(new Slice(0, files.size(), 1));
        }
        ImmutableList.Builder<Slice> slices = ImmutableList.builder();
        Cut last = new Cut(0, 0, 0);
        for (Cut cut : longestFitting(candidates(files, total, outputs))) {
            slices.add(last.sliceTo(cut));
            last = cut;
        }
        slices.add(last.sliceTo(new Cut(files.size(), total, outputs)));
        return slices.build();
    }

    /**
     * For each output before the last the boundary nearest to its end, if there is one near enough after which everything can still fit.
     */
    private List<Cut> candidates(List<DataFileInfo> files, long total, long outputs)
    {
        double share = (double) total / outputs;
        long slack = outputs * targetFileSize - total;
        ImmutableList.Builder<Cut> candidates = ImmutableList.builder();
        // boundaries come in ascending order, so all that compete for one output are neighbours
        Optional<Cut> best = Optional.empty();
        double bestDistance = 0;
        long bytes = 0;
        for (int index = 1; index < files.size(); index++) {
            bytes += files.get(index - 1).liveBytes();
            Cut cut = new Cut(index, bytes, Math.round(bytes / share));
            if (cut.outputs() >= outputs) {
                break;
            }
            double distance = abs(bytes - cut.outputs() * share);
            long spent = cut.spentSlack(targetFileSize);
            if (cut.outputs() == 0 || distance > TOLERANCE * share || spent < 0 || spent > slack) {
                continue;
            }
            if (best.isEmpty() || best.get().outputs() < cut.outputs()) {
                best.ifPresent(candidates::add);
                best = Optional.of(cut);
                bestDistance = distance;
            }
            else if (distance < bestDistance) {
                best = Optional.of(cut);
                bestDistance = distance;
            }
        }
        best.ifPresent(candidates::add);
        return candidates.build();
    }

    private List<Cut> longestFitting(List<Cut> candidates)
    {
        // the ends of the best sequences of each length: the index of the candidate that spends least, and what it spends
        int[] ends = new int[candidates.size()];
        long[] endsSpent = new long[candidates.size()];
        int[] previous = new int[candidates.size()];
        int length = 0;
        for (int index = 0; index < candidates.size(); index++) {
            long spent = candidates.get(index).spentSlack(targetFileSize);
            int low = 0;
            int high = length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (endsSpent[middle] <= spent) {
                    low = middle + 1;
                }
                else {
                    high = middle;
                }
            }
            ends[low] = index;
            endsSpent[low] = spent;
            previous[index] = low == 0 ? -1 : ends[low - 1];
            length = max(length, low + 1);
        }

        Cut[] cuts = new Cut[length];
        int index = length == 0 ? -1 : ends[length - 1];
        for (int position = length - 1; position >= 0; position--) {
            cuts[position] = candidates.get(index);
            index = previous[index];
        }
        return ImmutableList.copyOf(cuts);
    }

    private List<Slice> cutAtCap(List<DataFileInfo> files, Slice slice)
    {
        ImmutableList.Builder<Slice> slices = ImmutableList.builder();
        int from = slice.from();
        long inputBytes = 0;
        long liveBytes = 0;
        for (int index = slice.from(); index < slice.to(); index++) {
            DataFileInfo file = files.get(index);
            // a difference instead of a sum: the cap may be as large as a long can be
            if (index > from && file.size() > maxFileGroupSize - inputBytes) {
                slices.add(new Slice(from, index, toIntExact(outputFiles(liveBytes, targetFileSize))));
                from = index;
                inputBytes = 0;
                liveBytes = 0;
            }
            inputBytes += file.size();
            liveBytes += file.liveBytes();
        }
        slices.add(new Slice(from, slice.to(), toIntExact(outputFiles(liveBytes, targetFileSize))));
        return slices.build();
    }

    private static long inputBytes(List<DataFileInfo> files, Slice slice)
    {
        return files.subList(slice.from(), slice.to()).stream().mapToLong(DataFileInfo::size).sum();
    }

    /**
     * A file boundary: so many files, live bytes and outputs lie before it.
     */
    private record Cut(int files, long bytes, long outputs)
    {
        long spentSlack(long targetFileSize)
        {
            return outputs * targetFileSize - bytes;
        }

        Slice sliceTo(Cut end)
        {
            return new Slice(files, end.files(), toIntExact(end.outputs() - outputs));
        }
    }
}
