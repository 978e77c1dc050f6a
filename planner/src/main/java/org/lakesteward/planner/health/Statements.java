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
package org.lakesteward.planner.health;

import java.time.Duration;

/**
 * The statements that findings offer, each ready to run and without a semicolon.
 */
final class Statements
{
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private final String table;

    Statements(TableName table)
    {
        this.table = table.toSql();
    }

    String rewriteSmallFiles()
    {
        return execute("rewrite_data_files");
    }

    /**
     * Rewrites every file to which a delete applies, however few: only then do all of the delete files go.
     */
    String rewriteFilesWithDeletes()
    {
        return execute("rewrite_data_files(delete_file_threshold => 1)");
    }

    /** By the table's own order. */
    String sortFiles()
    {
        return execute("rewrite_data_files(strategy => 'sort')");
    }

    String optimizeManifests()
    {
        return execute("optimize_manifests");
    }

    String expireSnapshots(Duration retention)
    {
        return execute("expire_snapshots(retention_threshold => '" + trinoDuration(retention) + "')");
    }

    String expireSnapshotsAndSchemas(Duration retention)
    {
        return execute("expire_snapshots(retention_threshold => '" + trinoDuration(retention) + "', clean_expired_metadata => true)");
    }

    String limitPreviousVersions(long versions)
    {
        return "ALTER TABLE " + table + " SET PROPERTIES max_previous_versions = " + versions;
    }

    String analyze()
    {
        return "ANALYZE " + table;
    }

    private String execute(String procedure)
    {
        return "ALTER TABLE " + table + " EXECUTE " + procedure;
    }

    /**
     * The duration as io.airlift.units.Duration reads it: a number and one unit.
     */
    private static String trinoDuration(Duration duration)
    {
        long millis = duration.toMillis();
        if (millis % DAY == 0) {
            return millis / DAY + "d";
        }
        if (millis % HOUR == 0) {
            return millis / HOUR + "h";
        }
        if (millis % MINUTE == 0) {
            return millis / MINUTE + "m";
        }
        if (millis % SECOND == 0) {
            return millis / SECOND + "s";
        }
        return millis + "ms";
    }
}
