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
package org.lakesteward.benchmarks;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The system's {@code cp}, as the least that copying files can cost.
 *
 * @param target folder for the copies, created and removed
 */
record FileCopy(Path target)
{
    FileCopy
    {
        requireNonNull(target, "target is null");
    }

    double seconds(List<Path> files)
    {
        List<String> command = ImmutableList.<String>builder()
                .add("cp")
                .addAll(files.stream().map(Path::toString).toList())
                .add(target.toString())
                .build();
        try {
            Files.createDirectories(target);
            Stopwatch stopwatch = Stopwatch.createStarted();
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            Duration wall = stopwatch.elapsed();
            if (code != 0) {
                throw new BenchmarkFailedException("cp ended with exit code " + code);
            }
            MoreFiles.deleteRecursively(target, RecursiveDeleteOption.ALLOW_INSECURE);
            return wall.toNanos() / 1e9;
        }
        catch (IOException e) {
            throw new BenchmarkFailedException("Cannot copy the input to " + target, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkFailedException("Interrupted while copying the input", e);
        }
    }
}
