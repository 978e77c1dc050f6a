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
import java.time.Instant;
import java.util.Optional;

import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;
import static org.lakesteward.planner.health.FindingKind.MANIFESTS;
import static org.lakesteward.planner.health.FindingKind.METADATA_SIZE;
import static org.lakesteward.planner.health.FindingKind.SNAPSHOTS;
import static org.lakesteward.planner.health.Severity.CRITICAL;
import static org.lakesteward.planner.health.Severity.WARNING;

/**
 * Manifests, snapshots and the metadata file itself.
 */
final class MetadataRules
{
    // Iceberg's default of write.metadata.previous-versions-max
    private static final long PREVIOUS_VERSIONS = 100;

    private MetadataRules() {}

    static Optional<HealthFinding> manifests(Examination examination)
    {
        if (!examination.hasSnapshot()) {
            return Optional.empty();
        }
        Level level = examination.thresholds().manifests();
        if (examination.observation().manifests().isEmpty()) {
            return Optional.of(examination.unknown(MANIFESTS, level.warning(), "the manifest list was not read."));
        }
        ManifestTotals manifests = examination.observation().manifests().get();
        double sparseBelow = manifests.targetBytes() * examination.thresholds().manifestFillRatio();

        Optional<Severity> severity = level.severity(manifests.dataManifests());
        if (severity.isPresent() && manifests.dataManifestBytes() < sparseBelow * manifests.dataManifests()) {
            return Optional.of(examination.finding(
                    MANIFESTS,
                    severity.get(),
                    manifests.dataManifests(),
                    level.warning(),
                    "%s with %s in all; %s of the target size, %s, would hold as much.".formatted(
                            Words.count(manifests.dataManifests(), "data manifest"),
                            Words.bytes(manifests.dataManifestBytes()),
                            Words.number(max(1, ceilDiv(manifests.dataManifestBytes(), manifests.targetBytes()))),
                            Words.bytes(manifests.targetBytes())),
                    Remedy.OPTIMIZE_MANIFESTS,
                    examination.statements().optimizeManifests()));
        }
        // optimize_manifests leaves delete manifests alone (Iceberg's BaseRewriteManifests); they go with the delete files
        severity = level.severity(manifests.deleteManifests());
        if (severity.isPresent() && manifests.deleteManifestBytes() < sparseBelow * manifests.deleteManifests()) {
            return Optional.of(examination.finding(
                    MANIFESTS,
                    severity.get(),
                    manifests.deleteManifests(),
                    level.warning(),
                    "%s with %s in all; they go when the files that have deletes are rewritten.".formatted(
                            Words.count(manifests.deleteManifests(), "delete manifest"),
                            Words.bytes(manifests.deleteManifestBytes())),
                    Remedy.REWRITE_DATA,
                    examination.statements().rewriteFilesWithDeletes()));
        }
        return Optional.empty();
    }

    /**
     * Unlike the other rules this one begins just above its threshold: a snapshot of exactly that age is not expired.
     */
    static Optional<HealthFinding> snapshots(Examination examination)
    {
        HealthThresholds thresholds = examination.thresholds();
        return oldestRemovableAge(examination)
                .filter(age -> age.compareTo(thresholds.snapshotMaxAge()) > 0)
                .map(age -> examination.finding(
                        SNAPSHOTS,
                        age.compareTo(thresholds.snapshotCriticalAge()) > 0 ? CRITICAL : WARNING,
                        Words.inDays(age),
                        Words.inDays(thresholds.snapshotMaxAge()),
                        "Of %s, the oldest that may be removed is %s old; files that only such snapshots need stay in storage.".formatted(
                                Words.count(examination.observation().history().snapshots(), "snapshot"),
                                Words.days(age)),
                        Remedy.EXPIRE_SNAPSHOTS,
                        examination.statements().expireSnapshots(thresholds.snapshotMaxAge())));
    }

    static Optional<HealthFinding> metadataSize(Examination examination)
    {
        HealthThresholds thresholds = examination.thresholds();
        Level level = thresholds.metadataBytes();
        MetadataFile file = examination.observation().metadataFile();
        if (file.bytes().isEmpty()) {
            return Optional.of(examination.unknown(METADATA_SIZE, level.warning(), "the size of the metadata file is not known."));
        }
        long bytes = file.bytes().getAsLong();
        Optional<Severity> severity = level.severity(bytes);
        if (severity.isEmpty()) {
            return Optional.empty();
        }

        Statements statements = examination.statements();
        String reason = "The metadata file has %s, which every query reads and every commit writes anew; it lists %s and %s.".formatted(
                Words.bytes(bytes),
                Words.count(examination.observation().history().snapshots(), "snapshot"),
                Words.count(file.logEntries(), "earlier metadata file"));
        if (file.unusedSchemas() >= thresholds.unusedSchemas()) {
            return Optional.of(examination.finding(
                    METADATA_SIZE,
                    severity.get(),
                    bytes,
                    level.warning(),
                    reason + " Schemas in it that nothing refers to any more: " + Words.number(file.unusedSchemas()) + ".",
                    Remedy.EXPIRE_SNAPSHOTS,
                    statements.expireSnapshotsAndSchemas(thresholds.snapshotMaxAge())));
        }
        if (oldestRemovableAge(examination).filter(age -> age.compareTo(thresholds.snapshotMaxAge()) > 0).isPresent()) {
            return Optional.of(examination.finding(
                    METADATA_SIZE,
                    severity.get(),
                    bytes,
                    level.warning(),
                    reason,
                    Remedy.EXPIRE_SNAPSHOTS,
                    statements.expireSnapshots(thresholds.snapshotMaxAge())));
        }
        if (file.logEntries() >= thresholds.metadataLogEntries()) {
            return Optional.of(examination.finding(
                    METADATA_SIZE,
                    severity.get(),
                    bytes,
                    level.warning(),
                    reason,
                    Remedy.SET_PROPERTIES,
                    statements.limitPreviousVersions(PREVIOUS_VERSIONS)));
        }
        return Optional.of(examination.withoutStatement(
                METADATA_SIZE,
                severity.get(),
                bytes,
                level.warning(),
                reason + " No snapshot that may be removed is older than %s: commit less often, or keep snapshots for a shorter time.".formatted(Words.days(thresholds.snapshotMaxAge()))));
    }

    private static Optional<Duration> oldestRemovableAge(Examination examination)
    {
        Instant now = examination.now();
        return examination.observation().history().oldestRemovable().map(committedAt -> Duration.between(committedAt, now));
    }
}
