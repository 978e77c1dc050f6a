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
package org.lakesteward.planner.window;

/**
 * How far a coordinator can trust what it knows of the windows.
 */
public enum StoreCondition
{
    /** Read, and followed or lost for a short time only: what is known holds. */
    KNOWN,
    /** Not read since the coordinator started: a window may be open. */
    NEVER_READ,
    /** Lost for so long that others may have stopped to wait for this coordinator: a window may be open. */
    TOO_STALE,
    /** An operator decided that the store is not asked: no window holds here. */
    IGNORED,
}
