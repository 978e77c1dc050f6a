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
package org.lakesteward.maintenance.policy;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import org.lakesteward.planner.policy.OperatorPolicies;
import org.lakesteward.planner.policy.PolicyProblem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The operator's policies as the file says them now. Whoever asks gets what was read at most one refresh period ago, and reads the file
 * again when that is over; without a file the operator says nothing.
 * <p>
 * A file that cannot be read or is none leaves every table without a policy, from the moment it is seen until it is mended: what an earlier
 * version said does not go on to hold, since nobody would notice, and since coordinators that start later would know nothing of it.
 * Nothing that runs is stopped by it.
 * <p>
 * Thread-safe.
 */
public class PolicyFile
{
    private static final Logger log = Logger.get(PolicyFile.class);

    /** Far more than patterns for 100,000 tables take; keeps a wrong path from filling the memory. */
    private static final long MAX_BYTES = 16 << 20;

    private final Optional<Path> path;
    private final Duration refreshPeriod;
    private final InstantSource clock;

    // guarded by this
    private Optional<Content> content = Optional.empty();
    private Optional<State> state = Optional.empty();
    private Instant lastRead = Instant.MIN;

    @Inject
    public PolicyFile(PolicyConfig config, InstantSource clock)
    {
        this.path = config.getPolicyFile();
        this.refreshPeriod = config.getPolicyRefreshPeriod().toJavaTime();
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * @param policies what the file says, or {@linkplain OperatorPolicies#failure() why it says nothing}
     * @param since when this was seen first; the age of a failure counts from here
     */
    public record State(OperatorPolicies policies, Instant since)
    {
        public State
        {
            requireNonNull(policies, "policies is null");
            requireNonNull(since, "since is null");
        }
    }

    public OperatorPolicies policies()
    {
        return state().policies();
    }

    public synchronized State state()
    {
        Instant now = clock.instant();
        // a clock that was set back must not stop the reading
        if (state.isEmpty() || now.isBefore(lastRead) || !now.isBefore(lastRead.plus(refreshPeriod))) {
            lastRead = now;
            refresh(now);
        }
        return state.orElseThrow();
    }

    private void refresh(Instant now)
    {
        Content read = path.map(PolicyFile::read).orElse(Content.NOTHING);
        if (content.isPresent() && content.get().equals(read)) {
            return;
        }
        content = Optional.of(read);
        OperatorPolicies policies = read.policies(path);
        if (state.isEmpty() || !state.get().policies().equals(policies)) {
            state = Optional.of(new State(policies, now));
            path.ifPresent(file -> report(file, policies));
        }
    }

    private static void report(Path file, OperatorPolicies policies)
    {
        log.info("Read the policy file %s: %s defaults, %s patterns", file, policies.defaults().size(), policies.patterns().size());
        for (PolicyProblem problem : policies.problems()) {
            log.warn("%s; the tables that this is about are not maintained", problem.reason());
        }
    }

    private static Content read(Path file)
    {
        try {
            if (Files.size(file) > MAX_BYTES) {
                return Content.failed("it is larger than %s bytes".formatted(MAX_BYTES));
            }
            return new Content(Files.readAllBytes(file), Optional.empty());
        }
        catch (NoSuchFileException e) {
            return Content.failed("it does not exist");
        }
        catch (IOException | RuntimeException e) {
            return Content.failed("it cannot be read: " + e);
        }
    }

    /**
     * What was found on disk.
     */
    private record Content(byte[] bytes, Optional<String> failure)
    {
        private static final Content NOTHING = new Content(new byte[0], Optional.empty());

        private static Content failed(String reason)
        {
            return new Content(new byte[0], Optional.of(reason));
        }

        private OperatorPolicies policies(Optional<Path> path)
        {
            if (path.isEmpty()) {
                return OperatorPolicies.NONE;
            }
            if (failure.isPresent()) {
                return OperatorPolicies.unreadable("%s: %s".formatted(path.get(), failure.get()));
            }
            try {
                return PolicyFileReader.read(bytes);
            }
            catch (InvalidPolicyFileException e) {
                return OperatorPolicies.unreadable("%s: %s".formatted(path.get(), e.getMessage()));
            }
        }

        @Override
        public boolean equals(Object object)
        {
            return object instanceof Content other && Arrays.equals(bytes, other.bytes) && failure.equals(other.failure);
        }

        @Override
        public int hashCode()
        {
            return 31 * Arrays.hashCode(bytes) + failure.hashCode();
        }
    }
}
