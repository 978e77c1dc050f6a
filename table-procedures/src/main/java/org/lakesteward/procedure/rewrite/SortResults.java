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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.json.JsonCodec;
import io.airlift.slice.Slice;
import io.trino.spi.TrinoException;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.RewritePath;
import org.lakesteward.procedure.rewrite.SortFragment.FilePass;
import org.lakesteward.procedure.rewrite.SortFragment.WrittenRange;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Puts what the writers of a sort report together into the results of file groups, and checks that nothing is missing. Thread-safe.
 */
public class SortResults
{
    private final JsonCodec<SortFragment> fragmentCodec;

    @Inject
    public SortResults(JsonCodec<SortFragment> fragmentCodec)
    {
        this.fragmentCodec = requireNonNull(fragmentCodec, "fragmentCodec is null");
    }

    /**
     * @throws TrinoException REWRITE_VERIFICATION_FAILED when a file was not read in each pass, a range was written twice, or passes differ
     */
    List<GroupResult> assemble(PlannedRewrite planned, Collection<Slice> fragments)
    {
        Map<Integer, Map<Integer, WrittenRange>> ranges = new HashMap<>();
        Map<Integer, Map<Integer, Map<Integer, Long>>> passes = new HashMap<>();
        for (Slice slice : fragments) {
            SortFragment fragment = fragmentCodec.fromJson(slice.toStringUtf8());
            for (WrittenRange range : fragment.ranges()) {
                if (ranges.computeIfAbsent(range.groupId(), _ -> new TreeMap<>()).put(range.range(), range) != null) {
                    throw verificationFailed("key range %s of file group %s was written twice".formatted(range.range(), range.groupId()));
                }
            }
            for (FilePass pass : fragment.files()) {
                Map<Integer, Long> files = passes.computeIfAbsent(pass.groupId(), _ -> new TreeMap<>()).computeIfAbsent(pass.firstRange(), _ -> new HashMap<>());
                if (files.put(pass.file(), pass.rows()) != null) {
                    throw verificationFailed("file %s of file group %s was read twice".formatted(pass.file(), pass.groupId()));
                }
            }
        }
        ImmutableList.Builder<GroupResult> results = ImmutableList.builder();
        for (FileGroup group : planned.plan().groups()) {
            results.add(assemble(planned, group, ranges.getOrDefault(group.id(), Map.of()), passes.getOrDefault(group.id(), Map.of())));
        }
        return results.build();
    }

    private static GroupResult assemble(PlannedRewrite planned, FileGroup group, Map<Integer, WrittenRange> ranges, Map<Integer, Map<Integer, Long>> passes)
    {
        Set<Map<Integer, Long>> different = new HashSet<>(passes.values());
        if (different.size() != 1) {
            throw verificationFailed(different.isEmpty()
                    ? "file group %s was planned but not read".formatted(group.id())
                    : "file group %s had different rows when it was read again".formatted(group.id()));
        }
        Map<Integer, Long> files = different.iterator().next();
        if (files.size() != group.files().size()) {
            throw verificationFailed("%s of %s files of file group %s were read".formatted(files.size(), group.files().size(), group.id()));
        }
        long rows = files.values().stream().mapToLong(Long::longValue).sum();
        long records = planned.files(group).stream().mapToLong(file -> file.file().recordCount()).sum();
        return new GroupResult(
                group.id(),
                RewritePath.SORT,
                Optional.empty(),
                rows,
                records - rows,
                group.inputBytes() * passes.size(),
                ranges.values().stream().mapToLong(WrittenRange::bytesWritten).sum(),
                ranges.values().stream().flatMap(range -> range.commitTasks().stream()).toList());
    }

    private static TrinoException verificationFailed(String what)
    {
        return new TrinoException(REWRITE_VERIFICATION_FAILED, "The check before the commit failed: " + what + "; nothing was changed");
    }
}
