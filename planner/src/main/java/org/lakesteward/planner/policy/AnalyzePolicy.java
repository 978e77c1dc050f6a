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

import static com.google.common.base.Preconditions.checkArgument;

/**
 * When column statistics are collected anew. Properties {@code maintenance.analyze.*}.
 *
 * @param changedRowsRatio rows changed since they were collected, as a share of all rows; above 0, at most 1. Default 0.1
 */
public record AnalyzePolicy(double changedRowsRatio)
{
    public static final AnalyzePolicy DEFAULT = new AnalyzePolicy(0.1);

    public AnalyzePolicy
    {
        checkArgument(changedRowsRatio > 0 && changedRowsRatio <= 1, "changedRowsRatio is %s: it must be above 0 and at most 1", changedRowsRatio);
    }
}
