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

/**
 * What a plan that nobody carried out has to do with what was done to the tables meanwhile. Each is an observation, not a verdict: a debt also shrinks when files are
 * dropped with their partition, and grows again before anybody looks.
 */
public enum ShadowOutcome
{
    /** We would have run it. Has its debt shrunk since? Yes: somebody ran it, or did what it does. */
    AGREE,
    /** We had no demand for it. Has its debt shrunk nevertheless? Yes: somebody saw a need that we did not see coming. */
    DISCOVERY_MISS,
    /** We had a demand and deferred it. Has its debt shrunk nevertheless? Yes: somebody ran it where we would have waited; the reason tells why. */
    PLACEMENT_GAP,
    /** We would have run it. Has the time passed in which somebody should have, with the debt still there? Yes: nobody else thinks that it is needed, or nobody does it. */
    PHANTOM,
    /** We would have run it, the debt is still there, and the time has not passed yet. */
    PENDING,
    /** We would have run it, and the table has been dropped or replaced. */
    GONE,
}
