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

import com.fasterxml.jackson.annotation.JsonProperty;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.LeftAlone;
import org.lakesteward.planner.rewrite.RewriteReason;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A row of plan_rewrite: a file group, or the files that are left alone for one reason.
 */
public record PlanRewriteRow(
        @JsonProperty("action") String action,
        @JsonProperty("groupId") OptionalInt groupId,
        @JsonProperty("partition") Optional<String> partition,
        @JsonProperty("specId") OptionalInt specId,
        @JsonProperty("dataFiles") long dataFiles,
        @JsonProperty("bytes") long bytes,
        @JsonProperty("deleteFiles") OptionalLong deleteFiles,
        @JsonProperty("outputFiles") OptionalLong outputFiles,
        @JsonProperty("path") Optional<String> path,
        @JsonProperty("reason") String reason)
{
    public PlanRewriteRow
    {
        requireNonNull(action, "action is null");
        requireNonNull(reason, "reason is null");
    }

    static PlanRewriteRow of(FileGroup group, PlannedRewrite planned)
    {
        long deleteFiles = planned.files(group).stream()
                .flatMap(file -> file.deletes().stream())
                .map(DeleteKey::of)
                .distinct()
                .count();
        return new PlanRewriteRow(
                "rewrite",
                OptionalInt.of(group.id()),
                Optional.of(planned.partitionName(group)),
                OptionalInt.of(group.partition().specId()),
                group.files().size(),
                group.inputBytes(),
                OptionalLong.of(deleteFiles),
                OptionalLong.of(group.outputFiles()),
                Optional.of(group.path().name().toLowerCase(ENGLISH)),
                group.reasons().stream().map(RewriteReason::sentence).collect(joining("; ")) + ". Path: " + group.pathReason());
    }

    static PlanRewriteRow of(LeftAlone leftAlone)
    {
        return new PlanRewriteRow(
                "leave alone",
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                leftAlone.files(),
                leftAlone.bytes(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                leftAlone.reason().name().toLowerCase(ENGLISH) + ": " + leftAlone.reason().sentence());
    }

    /** In the order of {@link PlanRewriteColumn#ALL}; null for what does not apply. */
    Object value(int column)
    {
        return switch (column) {
            case 0 -> action;
            case 1 -> groupId.isPresent() ? (long) groupId.getAsInt() : null;
            case 2 -> partition.orElse(null);
            case 3 -> specId.isPresent() ? (long) specId.getAsInt() : null;
            case 4 -> dataFiles;
            case 5 -> bytes;
            case 6 -> deleteFiles.isPresent() ? deleteFiles.getAsLong() : null;
            case 7 -> outputFiles.isPresent() ? outputFiles.getAsLong() : null;
            case 8 -> path.orElse(null);
            case 9 -> reason;
            default -> throw new IllegalArgumentException("No column " + column);
        };
    }
}
