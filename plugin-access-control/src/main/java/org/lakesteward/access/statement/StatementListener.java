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
package org.lakesteward.access.statement;

import com.google.inject.Inject;
import io.trino.spi.eventlistener.EventListener;
import io.trino.spi.eventlistener.QueryCompletedEvent;
import io.trino.spi.eventlistener.QueryCreatedEvent;

import static java.util.Objects.requireNonNull;

/**
 * Hears from Trino which statements begin and end. Trino calls {@link #queryCreated} on the thread that takes the statement, before
 * any check of it, and {@link #queryCompleted} when its last task has ended (QueryMonitor, EventListenerManager). A data definition
 * has no tasks: when it is killed, it is told of at once.
 */
public class StatementListener
        implements EventListener
{
    private final StatementTracker tracker;

    @Inject
    public StatementListener(StatementTracker tracker)
    {
        this.tracker = requireNonNull(tracker, "tracker is null");
    }

    @Override
    public void queryCreated(QueryCreatedEvent event)
    {
        tracker.created(
                event.getMetadata().getQueryId(),
                event.getContext().getUser(),
                event.getContext().getQueryType(),
                event.getCreateTime());
    }

    @Override
    public void queryCompleted(QueryCompletedEvent event)
    {
        tracker.completed(event.getMetadata().getQueryId(), event.getFailureInfo().isPresent());
    }
}
