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

import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

final class Checks
{
    private Checks() {}

    static void notNegative(String name, OptionalLong value)
    {
        requireNonNull(value, name + " is null");
        value.ifPresent(number -> notNegative(name, number));
    }

    static void notNegative(String name, long value)
    {
        checkArgument(value >= 0, "%s is %s: it must not be negative", name, value);
    }
}
