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
package org.lakesteward.planner.policy;

import org.lakesteward.planner.window.OneLine;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Why a policy cannot be followed.
 *
 * @param entry name of the entry, as it was written; empty when the file as a whole is to blame
 * @param value as it was written; empty when there is none
 * @param source where it stands
 * @param reason what is wrong and what would be right, as a sentence of its own without a full stop
 */
public record PolicyProblem(Optional<String> entry, Optional<String> value, PolicySource source, String reason)
{
    public PolicyProblem
    {
        requireNonNull(entry, "entry is null");
        requireNonNull(value, "value is null");
        requireNonNull(source, "source is null");
        requireNonNull(reason, "reason is null");
    }

    static PolicyProblem ofValue(PolicyEntry<?> entry, String value, PolicySource source)
    {
        return new PolicyProblem(
                Optional.of(entry.name()),
                Optional.of(value),
                source,
                "%s is '%s' %s: it must be %s".formatted(entry, PolicyEntry.shown(value), source.words(), entry.type().range()));
    }

    static PolicyProblem ofUnknown(String name, String value, PolicySource source)
    {
        return new PolicyProblem(
                Optional.of(name),
                Optional.of(value),
                source,
                "'%s' is set %s: there is no entry of that name".formatted(PolicyEntry.shown(name), source.words()));
    }

    static PolicyProblem ofOwnersAlone(PolicyEntry<?> entry, String value, PolicySource source)
    {
        return new PolicyProblem(
                Optional.of(entry.name()),
                Optional.of(value),
                source,
                "%s is set %s: it is the owner's, and can only be a property of the table".formatted(entry, source.words()));
    }

    static PolicyProblem ofMissing(PolicyEntry<?> missing, PolicyEntry<?> set, PolicySource source)
    {
        return new PolicyProblem(
                Optional.of(missing.name()),
                Optional.empty(),
                source,
                "%s is set %s and %s is nowhere: it takes both".formatted(set, source.words(), missing));
    }

    static PolicyProblem ofFile(String reason)
    {
        return new PolicyProblem(
                Optional.empty(),
                Optional.empty(),
                new PolicySource.File(),
                "The policy file cannot be followed: " + OneLine.of(reason));
    }
}
