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

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/**
 * Whether one access control check of one statement may pass, as far as maintenance windows are concerned.
 * A window only refuses: {@link Allowed} grants nothing that another access control denies.
 */
public sealed interface WindowDecision
{
    Allowed ALLOWED = new Allowed();

    record Allowed()
            implements WindowDecision {}

    /** A window covers the target. */
    record RefusedByWindow(MaintenanceWindow window)
            implements WindowDecision
    {
        public RefusedByWindow
        {
            requireNonNull(window, "window is null");
        }
    }

    /** Nobody can tell whether a window covers the target. */
    record RefusedForDoubt(StoreCondition condition)
            implements WindowDecision
    {
        public RefusedForDoubt
        {
            requireNonNull(condition, "condition is null");
        }
    }

    /**
     * Allocates nothing when the answer is yes.
     *
     * @param pauseScheduler whether windows hold for the maintenance identity too
     */
    static WindowDecision decide(
            StatementKind kind,
            WindowCheck check,
            WindowScope target,
            IdentityClass identity,
            boolean pauseScheduler,
            WindowView view,
            Instant now)
    {
        if (!mayWrite(kind, check) || view.condition() == StoreCondition.IGNORED) {
            return ALLOWED;
        }
        if (identity == IdentityClass.MAINTENANCE && !pauseScheduler) {
            return ALLOWED;
        }
        if (view.condition() != StoreCondition.KNOWN) {
            return new RefusedForDoubt(view.condition());
        }
        // by index: an iterator would be an object per check
        for (int index = 0; index < view.windows().size(); index++) {
            MaintenanceWindow window = view.windows().get(index);
            if (window.scope().intersects(target) && !window.isOver(now)) {
                return new RefusedByWindow(window);
            }
        }
        return ALLOWED;
    }

    /**
     * Whether a check that passes may lead to a change of data or definitions. EXPLAIN and DESCRIBE run the checks of the
     * statement that they are about and change nothing.
     */
    static boolean mayWrite(StatementKind kind, WindowCheck check)
    {
        return check != WindowCheck.OPEN && switch (kind) {
            case EXPLAIN, DESCRIBE -> false;
            case SELECT, INSERT, UPDATE, DELETE, MERGE, ANALYZE, DATA_DEFINITION, ALTER_TABLE_EXECUTE, UNKNOWN -> true;
        };
    }
}
