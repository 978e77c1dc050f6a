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

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * The data files of a table after a plan has been carried out as its contract says: each group becomes as many files of equal size as were planned,
 * without deletes, marked as written by a rewrite.
 */
final class AppliedPlan
{
    private AppliedPlan() {}

    /**
     * @param name makes the new paths unique
     * @param ratio the size of each new file as a share of what was predicted
     */
    static List<DataFileInfo> apply(RewritePlan plan, Collection<DataFileInfo> files, String name, DoubleSupplier ratio)
    {
        ImmutableList.Builder<DataFileInfo> result = ImmutableList.builder();
        Set<String> rewritten = new HashSet<>();
        long sequenceNumber = 1 + files.stream().mapToLong(DataFileInfo::dataSequenceNumber).max().orElse(0);
        for (FileGroup group : plan.groups()) {
            group.files().forEach(file -> rewritten.add(file.path()));
            long records = group.files().stream().mapToLong(file -> Math.max(0, file.recordCount() - file.knownDeletedRows())).sum();
            for (int output = 0; output < group.outputFiles(); output++) {
                result.add(new DataFileInfo(
                        "%s-%s-%s".formatted(name, group.id(), output),
                        (long) (ratio.getAsDouble() * part(group.liveBytes(), output, group.outputFiles())),
                        part(records, output, group.outputFiles()),
                        group.partition().specId(),
                        group.partition().partition(),
                        sequenceNumber,
                        true,
                        0,
                        0,
                        0,
                        Optional.empty()));
            }
        }
        files.stream()
                .filter(file -> !rewritten.contains(file.path()))
                .forEach(result::add);
        return result.build();
    }

    private static long part(long total, int index, int parts)
    {
        return total / parts + (index < total % parts ? 1 : 0);
    }
}
