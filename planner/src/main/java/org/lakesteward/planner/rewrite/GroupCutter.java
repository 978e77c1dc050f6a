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

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.abs;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;
import static java.lang.Math.toIntExact;

/**
 * Cuts an ordered list of files that become {@code n} outputs into consecutive groups, as many as the file boundaries allow.
 * <p>
 * With {@code B} live bytes, an output is {@code s = B / n} bytes, at most the target. A cut that stands for output {@code k} lies at the file boundary
 * nearest to {@code k * s}. It is made only where
 * <ul>
 * <li>the boundary is within a tenth of {@code s} of {@code k * s}, so that outputs come out alike; and
 * <li>neither the group that it ends nor what remains after it would need outputs above the target.
 * </ul>
 * Where there is no such boundary the group goes on and gets one output more. Hence the outputs of all groups add up to {@code n} exactly, many small
 * files become {@code n} groups of one output, and large files become fewer groups of several outputs. The second rule is what makes planning
 * idempotent, see {@link RewritePlanner}; its price is that when {@code n} targets are all but full, fewer boundaries qualify and groups are larger.
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
        double share = (double) total / outputs;

        ImmutableList.Builder<Slice> slices = ImmutableList.builder();
        Cut last = new Cut(0, 0, 0);
        // boundaries come in ascending order, so all that compete for one multiple of the share are neighbours
        Cut best = last;
        double bestDistance = Double.POSITIVE_INFINITY;
        long bytes = 0;
        for (int index = 1; index < files.size(); index++) {
            bytes += files.get(index - 1).liveBytes();
            long multiple = Math.round(bytes / share);
            if (multiple > best.outputs() && best.outputs() > last.outputs()) {
                slices.add(last.sliceTo(best));
                last = best;
                bestDistance = Double.POSITIVE_INFINITY;
            }
            if (multiple >= outputs) {
                break;
            }
            Cut candidate = new Cut(index, bytes, multiple);
            double distance = abs(bytes - multiple * share);
            if (multiple > last.outputs()
                    && distance <= TOLERANCE * share
                    && distance < bestDistance
                    && bytes - last.bytes() <= (multiple - last.outputs()) * targetFileSize
                    && total - bytes <= (outputs - multiple) * targetFileSize) {
                best = candidate;
                bestDistance = distance;
            }
        }
        if (best.outputs() > last.outputs()) {
            slices.add(last.sliceTo(best));
            last = best;
        }
        slices.add(last.sliceTo(new Cut(files.size(), total, outputs)));
        return slices.build();
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
        Slice sliceTo(Cut end)
        {
            return new Slice(files, end.files(), toIntExact(end.outputs() - outputs));
        }
    }
}
