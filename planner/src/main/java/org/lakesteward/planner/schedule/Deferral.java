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
package org.lakesteward.planner.schedule;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A demand that is not placed now, and why.
 *
 * @param demand the demand
 * @param reason why it has to wait
 * @param numbers the numbers of the reason, by the names in its sentence
 * @param detail what the sentence needs besides numbers; may be empty
 */
public record Deferral(Demand demand, DeferralReason reason, List<NamedNumber> numbers, String detail)
{
    public Deferral
    {
        requireNonNull(demand, "demand is null");
        requireNonNull(reason, "reason is null");
        numbers = ImmutableList.copyOf(numbers);
        requireNonNull(detail, "detail is null");
    }

    static Deferral of(Demand demand, DeferralReason reason)
    {
        return new Deferral(demand, reason, ImmutableList.of(), "");
    }

    /** The reason in words, with its numbers. */
    public String text()
    {
        String text = reason.sentence();
        for (NamedNumber number : numbers) {
            text = text.replace("{" + number.name() + "}", number.words());
        }
        // last, so that nothing within it is taken for a number
        return text.replace("{detail}", detail);
    }
}
