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
package org.lakesteward.planner.rewrite;


import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * The arguments of {@code rewrite_data_files} that planning depends on, exactly as the user gave them: nothing checked, nothing defaulted.
 * Sizes are bytes. {@link RewriteOptions#create} turns them into options.
 */
public record RewriteArguments(
        OptionalLong targetFileSize,
        OptionalLong minFileSize,
        OptionalLong maxFileSize,
        OptionalInt minInputFiles,
        OptionalLong maxFileGroupSize,
        OptionalInt deleteFileThreshold,
        OptionalDouble deleteRatioThreshold,
        Optional<Boolean> rewriteAll,
        Optional<RewriteJobOrder> rewriteJobOrder,
        OptionalInt maxFilesToRewrite)
{
    public RewriteArguments
    {
        requireNonNull(targetFileSize, "targetFileSize is null");
        requireNonNull(minFileSize, "minFileSize is null");
        requireNonNull(maxFileSize, "maxFileSize is null");
        requireNonNull(minInputFiles, "minInputFiles is null");
        requireNonNull(maxFileGroupSize, "maxFileGroupSize is null");
        requireNonNull(deleteFileThreshold, "deleteFileThreshold is null");
        requireNonNull(deleteRatioThreshold, "deleteRatioThreshold is null");
        requireNonNull(rewriteAll, "rewriteAll is null");
        requireNonNull(rewriteJobOrder, "rewriteJobOrder is null");
        requireNonNull(maxFilesToRewrite, "maxFilesToRewrite is null");
    }

    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Collects the arguments that were given; the others stay empty. Not thread-safe.
     */
    public static final class Builder
    {
        private OptionalLong targetFileSize = OptionalLong.empty();
        private OptionalLong minFileSize = OptionalLong.empty();
        private OptionalLong maxFileSize = OptionalLong.empty();
        private OptionalInt minInputFiles = OptionalInt.empty();
        private OptionalLong maxFileGroupSize = OptionalLong.empty();
        private OptionalInt deleteFileThreshold = OptionalInt.empty();
        private OptionalDouble deleteRatioThreshold = OptionalDouble.empty();
        private Optional<Boolean> rewriteAll = Optional.empty();
        private Optional<RewriteJobOrder> rewriteJobOrder = Optional.empty();
        private OptionalInt maxFilesToRewrite = OptionalInt.empty();

        private Builder() {}

        public Builder setTargetFileSize(long bytes)
        {
            targetFileSize = OptionalLong.of(bytes);
            return this;
        }

        public Builder setMinFileSize(long bytes)
        {
            minFileSize = OptionalLong.of(bytes);
            return this;
        }

        public Builder setMaxFileSize(long bytes)
        {
            maxFileSize = OptionalLong.of(bytes);
            return this;
        }

        public Builder setMinInputFiles(int files)
        {
            minInputFiles = OptionalInt.of(files);
            return this;
        }

        public Builder setMaxFileGroupSize(long bytes)
        {
            maxFileGroupSize = OptionalLong.of(bytes);
            return this;
        }

        public Builder setDeleteFileThreshold(int deleteFiles)
        {
            deleteFileThreshold = OptionalInt.of(deleteFiles);
            return this;
        }

        public Builder setDeleteRatioThreshold(double ratio)
        {
            deleteRatioThreshold = OptionalDouble.of(ratio);
            return this;
        }

        public Builder setRewriteAll(boolean rewriteAll)
        {
            this.rewriteAll = Optional.of(rewriteAll);
            return this;
        }

        public Builder setRewriteJobOrder(RewriteJobOrder rewriteJobOrder)
        {
            this.rewriteJobOrder = Optional.of(rewriteJobOrder);
            return this;
        }

        public Builder setMaxFilesToRewrite(int files)
        {
            maxFilesToRewrite = OptionalInt.of(files);
            return this;
        }

        public RewriteArguments build()
        {
            return new RewriteArguments(
                    targetFileSize,
                    minFileSize,
                    maxFileSize,
                    minInputFiles,
                    maxFileGroupSize,
                    deleteFileThreshold,
                    deleteRatioThreshold,
                    rewriteAll,
                    rewriteJobOrder,
                    maxFilesToRewrite);
        }
    }
}
