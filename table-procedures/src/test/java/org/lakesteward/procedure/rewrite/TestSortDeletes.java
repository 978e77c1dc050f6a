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

import com.google.common.collect.ImmutableMap;

/**
 * Deletes, row lineage, branches and statistics in a sort through the exchange: all that holds for bin-packing holds here.
 */
public class TestSortDeletes
        extends TestRewriteDeletes
{
    public TestSortDeletes()
    {
        super(", strategy => 'sort', sort_order => ARRAY['name DESC']", ImmutableMap.of("rewrite.max-sort-without-exchange", "0B"));
    }
}
