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
package org.lakesteward.access.service;

import com.google.inject.Inject;
import org.lakesteward.access.audit.AuditLog;
import org.lakesteward.access.check.RefusalListener;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;

import static java.util.Objects.requireNonNull;

/**
 * Counts refusals and writes them to the audit log.
 */
public class Refusals
        implements RefusalListener
{
    private final WindowStats stats;
    private final AuditLog audit;
    private final String coordinatorId;

    @Inject
    public Refusals(WindowStats stats, AuditLog audit, WindowService.Settings settings)
    {
        this.stats = requireNonNull(stats, "stats is null");
        this.audit = requireNonNull(audit, "audit is null");
        this.coordinatorId = settings.coordinatorId();
    }

    @Override
    public void refused(String queryId, String user, StatementKind kind, WindowScope target, String message)
    {
        stats.refused(kind);
        audit.refused(coordinatorId, queryId, user, kind, target, message);
    }
}
