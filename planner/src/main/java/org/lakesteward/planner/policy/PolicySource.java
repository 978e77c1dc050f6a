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

import static java.util.Objects.requireNonNull;

/**
 * Where the value of an entry stands, or a mistake.
 */
public sealed interface PolicySource
{
    /** The properties of the table itself. */
    record Table()
            implements PolicySource
    {
        @Override
        public String toString()
        {
            return "table";
        }

        @Override
        public String words()
        {
            return "in the properties of the table";
        }
    }

    /** A pattern of the operator's file. */
    record Pattern(NamePattern pattern)
            implements PolicySource
    {
        public Pattern
        {
            requireNonNull(pattern, "pattern is null");
        }

        @Override
        public String toString()
        {
            return "pattern " + pattern;
        }

        @Override
        public String words()
        {
            return "for %s in the policy file".formatted(pattern);
        }
    }

    /** The defaults of the operator's file. */
    record Defaults()
            implements PolicySource
    {
        @Override
        public String toString()
        {
            return "defaults";
        }

        @Override
        public String words()
        {
            return "in the defaults of the policy file";
        }
    }

    /** The operator's file as a whole. */
    record File()
            implements PolicySource
    {
        @Override
        public String toString()
        {
            return "policy file";
        }

        @Override
        public String words()
        {
            return "in the policy file";
        }
    }

    /** {@link PolicyEntry#defaultText()}. */
    record BuiltIn()
            implements PolicySource
    {
        @Override
        public String toString()
        {
            return "built-in";
        }

        @Override
        public String words()
        {
            return "by itself";
        }
    }

    /** In words that follow what stands there. */
    String words();
}
