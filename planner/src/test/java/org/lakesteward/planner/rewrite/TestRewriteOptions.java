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

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.OptionalInt;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

public class TestRewriteOptions
{
    private static final long MEGABYTE = 1L << 20;
    private static final long GIGABYTE = 1L << 30;

    @Test
    public void testDefaults()
    {
        assertThat(RewriteOptions.create(RewriteArguments.builder().build(), 512 * MEGABYTE, 3, true))
                .isEqualTo(new RewriteOptions(
                        512 * MEGABYTE,
                        384 * MEGABYTE,
                        (long) (921.6 * MEGABYTE),
                        5,
                        100 * GIGABYTE,
                        2,
                        0.3,
                        false,
                        RewriteJobOrder.NONE,
                        OptionalInt.empty(),
                        3,
                        true));
    }

    @Test
    public void testDefaultsFollowTarget()
    {
        RewriteOptions options = create(arguments -> arguments.setTargetFileSize(100 * MEGABYTE));
        assertThat(options.minFileSize()).isEqualTo(75 * MEGABYTE);
        assertThat(options.maxFileSize()).isEqualTo(180 * MEGABYTE);

        // the default bound of a group gives way to a larger target
        options = create(arguments -> arguments.setTargetFileSize(200 * GIGABYTE));
        assertThat(options.maxFileGroupSize()).isEqualTo(200 * GIGABYTE);
    }

    @Test
    public void testEveryArgument()
    {
        RewriteArguments arguments = RewriteArguments.builder()
                .setTargetFileSize(10 * MEGABYTE)
                .setMinFileSize(1)
                .setMaxFileSize(11 * MEGABYTE)
                .setMinInputFiles(1)
                .setMaxFileGroupSize(12 * MEGABYTE)
                .setDeleteFileThreshold(4)
                .setDeleteRatioThreshold(1)
                .setRewriteAll(true)
                .setRewriteJobOrder(RewriteJobOrder.BYTES_DESC)
                .setMaxFilesToRewrite(1)
                .build();
        assertThat(RewriteOptions.create(arguments, 512 * MEGABYTE, 0, false))
                .isEqualTo(new RewriteOptions(
                        10 * MEGABYTE,
                        1,
                        11 * MEGABYTE,
                        1,
                        12 * MEGABYTE,
                        4,
                        1,
                        true,
                        RewriteJobOrder.BYTES_DESC,
                        OptionalInt.of(1),
                        0,
                        false));
    }

    @Test
    public void testLimitsAreAllowed()
    {
        create(arguments -> arguments.setTargetFileSize(MEGABYTE).setMinFileSize(MEGABYTE).setMaxFileSize(MEGABYTE).setMaxFileGroupSize(MEGABYTE));
        create(arguments -> arguments.setTargetFileSize(Long.MAX_VALUE));
    }

    @DataProvider
    public static Object[][] invalidArguments()
    {
        return new Object[][] {
                invalid(arguments -> arguments.setTargetFileSize(0),
                        "target_file_size", "0B", "at least 1MB", "Argument target_file_size must be at least 1MB, but is 0B"),
                invalid(arguments -> arguments.setTargetFileSize(-5),
                        "target_file_size", "-5B", "at least 1MB", "Argument target_file_size must be at least 1MB, but is -5B"),
                invalid(arguments -> arguments.setTargetFileSize(MEGABYTE - 1),
                        "target_file_size", "1048575B", "at least 1MB", "Argument target_file_size must be at least 1MB, but is 1048575B"),
                invalid(arguments -> arguments.setMinFileSize(0),
                        "min_file_size", "0B", "greater than 0B", "Argument min_file_size must be greater than 0B, but is 0B"),
                invalid(arguments -> arguments.setMinFileSize(-MEGABYTE),
                        "min_file_size", "-1MB", "greater than 0B", "Argument min_file_size must be greater than 0B, but is -1MB"),
                invalid(arguments -> arguments.setMaxFileSize(0),
                        "max_file_size", "0B", "greater than 0B", "Argument max_file_size must be greater than 0B, but is 0B"),
                invalid(arguments -> arguments.setMinFileSize(513 * MEGABYTE),
                        "min_file_size", "513MB", "at most target_file_size (512MB)", "Argument min_file_size must be at most target_file_size (512MB), but is 513MB"),
                invalid(arguments -> arguments.setMinFileSize(800 * MEGABYTE).setMaxFileSize(600 * MEGABYTE),
                        "min_file_size", "800MB", "at most max_file_size (600MB)", "Argument min_file_size must be at most max_file_size (600MB), but is 800MB"),
                invalid(arguments -> arguments.setMaxFileSize(511 * MEGABYTE),
                        "max_file_size", "511MB", "at least target_file_size (512MB)", "Argument max_file_size must be at least target_file_size (512MB), but is 511MB"),
                // the default minimum, which is above, is not to blame
                invalid(arguments -> arguments.setMaxFileSize(300 * MEGABYTE),
                        "max_file_size", "300MB", "at least target_file_size (512MB)", "Argument max_file_size must be at least target_file_size (512MB), but is 300MB"),
                invalid(arguments -> arguments.setMinInputFiles(0),
                        "min_input_files", "0", "at least 1", "Argument min_input_files must be at least 1, but is 0"),
                invalid(arguments -> arguments.setMaxFileGroupSize(0),
                        "max_file_group_size", "0B", "greater than 0B", "Argument max_file_group_size must be greater than 0B, but is 0B"),
                invalid(arguments -> arguments.setMaxFileGroupSize(511 * MEGABYTE),
                        "max_file_group_size", "511MB", "at least target_file_size (512MB)", "Argument max_file_group_size must be at least target_file_size (512MB), but is 511MB"),
                invalid(arguments -> arguments.setDeleteFileThreshold(0),
                        "delete_file_threshold", "0", "at least 1", "Argument delete_file_threshold must be at least 1, but is 0"),
                invalid(arguments -> arguments.setDeleteRatioThreshold(0),
                        "delete_ratio_threshold", "0.0", "greater than 0 and at most 1", "Argument delete_ratio_threshold must be greater than 0 and at most 1, but is 0.0"),
                invalid(arguments -> arguments.setDeleteRatioThreshold(1.01),
                        "delete_ratio_threshold", "1.01", "greater than 0 and at most 1", "Argument delete_ratio_threshold must be greater than 0 and at most 1, but is 1.01"),
                invalid(arguments -> arguments.setDeleteRatioThreshold(Double.NaN),
                        "delete_ratio_threshold", "NaN", "greater than 0 and at most 1", "Argument delete_ratio_threshold must be greater than 0 and at most 1, but is NaN"),
                invalid(arguments -> arguments.setMaxFilesToRewrite(0),
                        "max_files_to_rewrite", "0", "at least 1", "Argument max_files_to_rewrite must be at least 1, but is 0"),
        };
    }

    @Test(dataProvider = "invalidArguments")
    public void testInvalidArgument(Consumer<RewriteArguments.Builder> given, String argument, String value, String allowedRange, String message)
    {
        assertThatThrownBy(() -> create(given))
                .asInstanceOf(type(InvalidRewriteArgument.class))
                .satisfies(e -> {
                    assertThat(e).hasMessage(message);
                    assertThat(e.getArgument()).isEqualTo(argument);
                    assertThat(e.getValue()).isEqualTo(value);
                    assertThat(e.getAllowedRange()).isEqualTo(allowedRange);
                });
    }

    @Test
    public void testTableTargetTooSmall()
    {
        assertThatThrownBy(() -> RewriteOptions.create(RewriteArguments.builder().build(), 4096, 0, true))
                .isInstanceOf(InvalidRewriteArgument.class)
                .hasMessage("Argument target_file_size must be at least 1MB, but is 4kB by the table property write.target-file-size-bytes");
        // what the user gives counts instead
        RewriteOptions.create(RewriteArguments.builder().setTargetFileSize(MEGABYTE).build(), 4096, 0, true);
    }

    @Test
    public void testJobOrderByName()
    {
        assertThat(RewriteJobOrder.parse("none")).isEqualTo(RewriteJobOrder.NONE);
        assertThat(RewriteJobOrder.parse("BYTES_ASC")).isEqualTo(RewriteJobOrder.BYTES_ASC);
        assertThat(RewriteJobOrder.parse("files-desc")).isEqualTo(RewriteJobOrder.FILES_DESC);
        assertThatThrownBy(() -> RewriteJobOrder.parse("random"))
                .isInstanceOf(InvalidRewriteArgument.class)
                .hasMessage("Argument rewrite_job_order must be one of none, bytes-asc, bytes-desc, files-asc, files-desc, but is 'random'");
    }

    private static Object[] invalid(Consumer<RewriteArguments.Builder> given, String argument, String value, String allowedRange, String message)
    {
        return new Object[] {given, argument, value, allowedRange, message};
    }

    private static RewriteOptions create(Consumer<RewriteArguments.Builder> given)
    {
        RewriteArguments.Builder arguments = RewriteArguments.builder();
        given.accept(arguments);
        return RewriteOptions.create(arguments.build(), 512 * MEGABYTE, 0, true);
    }
}
