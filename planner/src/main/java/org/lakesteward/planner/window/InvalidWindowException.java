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

import static java.util.Objects.requireNonNull;

/**
 * A request about a maintenance window cannot be granted. The message is one sentence for the user; nothing was changed.
 */
public class InvalidWindowException
        extends RuntimeException
{
    /** What is wrong, for callers that map it to an error code. */
    public enum Reason
    {
        /** A value is out of its range. */
        INVALID_ARGUMENT,
        /** A window with this scope is open already. */
        WINDOW_EXISTS,
        /** No window with this scope is open. */
        NO_SUCH_WINDOW,
        /** So many windows are open that no more are accepted. */
        TOO_MANY_WINDOWS,
        /** No such coordinator is known, or it is alive and cannot be forgotten. */
        NO_SUCH_COORDINATOR,
    }

    private final Reason reason;

    public InvalidWindowException(Reason reason, String message)
    {
        super(requireNonNull(message, "message is null"));
        this.reason = requireNonNull(reason, "reason is null");
    }

    public Reason reason()
    {
        return reason;
    }
}
