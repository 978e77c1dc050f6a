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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.policy.PolicyType.Age;
import org.lakesteward.planner.policy.PolicyType.Choice;
import org.lakesteward.planner.policy.PolicyType.Column;
import org.lakesteward.planner.policy.PolicyType.Flag;
import org.lakesteward.planner.policy.PolicyType.Schedule;
import org.lakesteward.planner.policy.PolicyType.Share;
import org.lakesteward.planner.policy.PolicyType.Size;
import org.lakesteward.planner.policy.PolicyType.Whole;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.window.OneLine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REFRESH_MATERIALIZED_VIEW;
import static org.lakesteward.planner.MaintenanceKind.REMOVE_ORPHAN_FILES;
import static org.lakesteward.planner.MaintenanceKind.RETENTION;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_MANIFESTS;

/**
 * One thing that can be set about the maintenance of a table. The entries below are all there are; table properties, the operator's file,
 * SQL and the documentation take names, ranges and defaults from here. An entry is equal only to itself.
 *
 * @param <T> what is made of its text
 */
public final class PolicyEntry<T>
{
    /** What all names begin with. Iceberg table properties that begin with it, in whatever case, are entries or mistakes. */
    public static final String PREFIX = "maintenance.";

    public static final PolicyEntry<Boolean> ENABLED = new PolicyEntry<>(
            "maintenance.enabled",
            new Flag(),
            Optional.of("false"),
            Optional.empty(),
            "The owner's key: nothing runs by itself on the table unless this is true");

    public static final PolicyEntry<Integer> PRIORITY = new PolicyEntry<>(
            "maintenance.priority",
            new Whole(TablePolicy.LEAST_PRIORITY, TablePolicy.MOST_PRIORITY),
            Optional.of("5"),
            Optional.empty(),
            "Weight of the table among others");

    public static final PolicyEntry<Boolean> REWRITE_ENABLED = new PolicyEntry<>(
            "maintenance.rewrite.enabled",
            new Flag(),
            Optional.of("true"),
            Optional.of(REWRITE_DATA_FILES),
            "Whether data files are rewritten");

    public static final PolicyEntry<RewritePolicy.Strategy> REWRITE_STRATEGY = new PolicyEntry<>(
            "maintenance.rewrite.strategy",
            new Choice<>(RewritePolicy.Strategy.class),
            Optional.of("binpack"),
            Optional.of(REWRITE_DATA_FILES),
            "How data files are rewritten: binpack merges small ones, sort puts them into the table's order too");

    public static final PolicyEntry<Long> REWRITE_TARGET_FILE_SIZE = new PolicyEntry<>(
            "maintenance.rewrite.target-file-size",
            new Size(RewriteOptions.LEAST_TARGET_FILE_SIZE),
            Optional.empty(),
            Optional.of(REWRITE_DATA_FILES),
            "Size that rewritten files get; without it the table's write.target-file-size-bytes");

    public static final PolicyEntry<Integer> REWRITE_MIN_INPUT_FILES = new PolicyEntry<>(
            "maintenance.rewrite.min-input-files",
            new Whole(2, Integer.MAX_VALUE),
            Optional.of("5"),
            Optional.of(REWRITE_DATA_FILES),
            "Small files of a partition that are worth a rewrite");

    public static final PolicyEntry<Boolean> MANIFESTS_ENABLED = new PolicyEntry<>(
            "maintenance.manifests.enabled",
            new Flag(),
            Optional.of("true"),
            Optional.of(REWRITE_MANIFESTS),
            "Whether manifests are rewritten");

    public static final PolicyEntry<Integer> MANIFESTS_MIN_COUNT = new PolicyEntry<>(
            "maintenance.manifests.min-count",
            new Whole(2, Integer.MAX_VALUE),
            Optional.of("100"),
            Optional.of(REWRITE_MANIFESTS),
            "Manifests that are worth a rewrite");

    public static final PolicyEntry<Boolean> SNAPSHOTS_ENABLED = new PolicyEntry<>(
            "maintenance.snapshots.enabled",
            new Flag(),
            Optional.of("true"),
            Optional.of(EXPIRE_SNAPSHOTS),
            "Whether old snapshots are removed");

    public static final PolicyEntry<Duration> SNAPSHOTS_MAX_AGE = new PolicyEntry<>(
            "maintenance.snapshots.max-age",
            new Age(Duration.ofMinutes(1)),
            Optional.of("7d"),
            Optional.of(EXPIRE_SNAPSHOTS),
            "Age from which on snapshots are removed");

    public static final PolicyEntry<Integer> SNAPSHOTS_MIN_COUNT = new PolicyEntry<>(
            "maintenance.snapshots.min-count",
            new Whole(1, Integer.MAX_VALUE),
            Optional.of("1"),
            Optional.of(EXPIRE_SNAPSHOTS),
            "Snapshots that are kept whatever their age");

    public static final PolicyEntry<Boolean> ORPHANS_ENABLED = new PolicyEntry<>(
            "maintenance.orphans.enabled",
            new Flag(),
            Optional.of("true"),
            Optional.of(REMOVE_ORPHAN_FILES),
            "Whether files that no snapshot refers to are removed");

    public static final PolicyEntry<Duration> ORPHANS_MIN_AGE = new PolicyEntry<>(
            "maintenance.orphans.min-age",
            new Age(Duration.ofDays(1)),
            Optional.of("7d"),
            Optional.of(REMOVE_ORPHAN_FILES),
            "Age below which a file is never taken for an orphan");

    public static final PolicyEntry<Duration> ORPHANS_INTERVAL = new PolicyEntry<>(
            "maintenance.orphans.interval",
            new Age(Duration.ofDays(1)),
            Optional.of("7d"),
            Optional.of(REMOVE_ORPHAN_FILES),
            "Time from one search for orphans to the next");

    public static final PolicyEntry<Boolean> ANALYZE_ENABLED = new PolicyEntry<>(
            "maintenance.analyze.enabled",
            new Flag(),
            Optional.of("true"),
            Optional.of(ANALYZE),
            "Whether column statistics are collected");

    public static final PolicyEntry<Double> ANALYZE_CHANGED_ROWS_RATIO = new PolicyEntry<>(
            "maintenance.analyze.changed-rows-ratio",
            new Share(),
            Optional.of("0.1"),
            Optional.of(ANALYZE),
            "Share of rows that changed from which on statistics are collected again");

    public static final PolicyEntry<String> RETENTION_COLUMN = new PolicyEntry<>(
            "maintenance.retention.column",
            new Column(),
            Optional.empty(),
            Optional.of(RETENTION),
            "Date or timestamp column by which rows have an age; with a greatest age, old rows are deleted");

    public static final PolicyEntry<Duration> RETENTION_MAX_AGE = new PolicyEntry<>(
            "maintenance.retention.max-age",
            new Age(Duration.ofDays(1)),
            Optional.empty(),
            Optional.of(RETENTION),
            "Age from which on rows are deleted; with a column, old rows are deleted");

    public static final PolicyEntry<Boolean> RETENTION_ALLOW_ROW_DELETES = new PolicyEntry<>(
            "maintenance.retention.allow-row-deletes",
            new Flag(),
            Optional.of("false"),
            Optional.of(RETENTION),
            "Whether old rows are deleted one by one where they do not fill whole partitions");

    public static final PolicyEntry<RefreshPolicy> REFRESH_SCHEDULE = new PolicyEntry<>(
            "maintenance.refresh.schedule",
            new Schedule(),
            Optional.empty(),
            Optional.of(REFRESH_MATERIALIZED_VIEW),
            "When the materialized view is refreshed: an interval, or the five fields of a crontab line in UTC");

    /** So much of a wrong text is repeated, in characters. */
    private static final int SHOWN_LENGTH = 200;

    private static final List<PolicyEntry<?>> ALL = ImmutableList.of(
            ENABLED,
            PRIORITY,
            REWRITE_ENABLED,
            REWRITE_STRATEGY,
            REWRITE_TARGET_FILE_SIZE,
            REWRITE_MIN_INPUT_FILES,
            MANIFESTS_ENABLED,
            MANIFESTS_MIN_COUNT,
            SNAPSHOTS_ENABLED,
            SNAPSHOTS_MAX_AGE,
            SNAPSHOTS_MIN_COUNT,
            ORPHANS_ENABLED,
            ORPHANS_MIN_AGE,
            ORPHANS_INTERVAL,
            ANALYZE_ENABLED,
            ANALYZE_CHANGED_ROWS_RATIO,
            RETENTION_COLUMN,
            RETENTION_MAX_AGE,
            RETENTION_ALLOW_ROW_DELETES,
            REFRESH_SCHEDULE);

    private static final Map<String, PolicyEntry<?>> BY_NAME = Maps.uniqueIndex(ALL, PolicyEntry::name);

    private final String name;
    private final PolicyType<T> type;
    private final Optional<String> defaultText;
    private final Optional<MaintenanceKind> kind;
    private final String description;

    private PolicyEntry(String name, PolicyType<T> type, Optional<String> defaultText, Optional<MaintenanceKind> kind, String description)
    {
        this.name = requireNonNull(name, "name is null");
        this.type = requireNonNull(type, "type is null");
        this.defaultText = requireNonNull(defaultText, "defaultText is null");
        this.kind = requireNonNull(kind, "kind is null");
        this.description = requireNonNull(description, "description is null");
    }

    /** All entries, in the order in which they are listed. */
    public static List<PolicyEntry<?>> all()
    {
        return ALL;
    }

    /**
     * @param name the whole name, in lower case
     */
    public static Optional<PolicyEntry<?>> find(String name)
    {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Whether a table property or key of this name is an entry or a mistake. */
    public static boolean isReserved(String name)
    {
        return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** The whole name: {@code maintenance.}, and words with hyphens divided by points. */
    public String name()
    {
        return name;
    }

    public PolicyType<T> type()
    {
        return type;
    }

    /** What holds when nobody sets the entry; empty when it is then without a value. */
    public Optional<String> defaultText()
    {
        return defaultText;
    }

    /** The kind of maintenance that the entry is about; empty for what is about all of them. */
    public Optional<MaintenanceKind> kind()
    {
        return kind;
    }

    /** Half a sentence or more, without a full stop. */
    public String description()
    {
        return description;
    }

    /** Whether only the owner of the table may set the entry, not the operator for many tables. */
    public boolean isOwnersAlone()
    {
        return this == ENABLED;
    }

    /**
     * @return what is wrong with the value, as one sentence without a full stop; empty when it is in range
     */
    public Optional<String> check(String text)
    {
        return type.parse(text).isPresent() ? Optional.empty() : Optional.of("%s is '%s': it must be %s".formatted(name, shown(text), type.range()));
    }

    static String shown(String text)
    {
        return OneLine.of(text, SHOWN_LENGTH);
    }

    @Override
    public String toString()
    {
        return name;
    }
}
