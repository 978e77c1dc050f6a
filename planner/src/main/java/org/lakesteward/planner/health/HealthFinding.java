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
package org.lakesteward.planner.health;

import java.util.Optional;
import java.util.OptionalDouble;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with a table.
 *
 * @param kind what is wrong
 * @param severity how much it matters
 * @param measured the measured value in the unit of the kind; empty when table metadata does not tell
 * @param threshold the value from which on the rule warns, in the unit of the kind
 * @param reason one or two sentences in plain words, with the numbers
 * @param statement the SQL statement that mends it, ready to run and without a semicolon; empty when no statement would mend it (the reason then says what to do)
 */
public record HealthFinding(
        FindingKind kind,
        Severity severity,
        OptionalDouble measured,
        double threshold,
        String reason,
        Optional<String> statement)
{
    public HealthFinding
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(severity, "severity is null");
        requireNonNull(measured, "measured is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(statement, "statement is null");
        checkArgument(!reason.isEmpty(), "reason is empty");
    }
}
