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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * One case of a text file. It reads
 * <pre>
 * == title
 * # remarks
 * options target_file_size=512MB min_input_files=5     (SQL arguments; output_spec=1, copy=off; the table's own target is 512MB)
 * files 6 x 5MB partition=day={1..900} spec=1 seq=7 records=100 deleted=40 pos=1 eq=1 settled obstacle=has_a_sort_order
 * show totals                                          (instead of every group)
 * --
 * expected plan
 * </pre>
 * Files are named f1, f2, … in the order in which they appear. The last line of the plan tells what a second plan does, once this one has been applied.
 */
record RewriteCase(String title, List<String> input, List<String> expected)
{
    private static final long TABLE_TARGET_FILE_SIZE = 512 * ByteSize.MEGABYTE;
    private static final Pattern SIZE = Pattern.compile("([0-9.]+)(B|kB|MB|GB|TB)");
    private static final Pattern RANGE = Pattern.compile("(.*)\\{(\\d+)\\.\\.(\\d+)}(.*)");
    private static final Map<String, Long> UNITS = ImmutableMap.of("B", 1L, "kB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30, "TB", 1L << 40);

    RewriteCase
    {
        input = ImmutableList.copyOf(input);
        expected = ImmutableList.copyOf(expected);
    }

    static List<RewriteCase> read(List<String> lines)
    {
        ImmutableList.Builder<RewriteCase> cases = ImmutableList.builder();
        String title = null;
        List<String> input = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        List<String> current = input;
        for (String line : lines) {
            if (line.startsWith("== ")) {
                if (title != null) {
                    cases.add(new RewriteCase(title, input, expected));
                }
                title = line.substring(3);
                input = new ArrayList<>();
                expected = new ArrayList<>();
                current = input;
            }
            else if (line.equals("--")) {
                current = expected;
            }
            else if (!line.isBlank()) {
                checkArgument(title != null, "line before the first title: %s", line);
                current.add(line);
            }
        }
        checkArgument(title != null, "no case");
        cases.add(new RewriteCase(title, input, expected));
        return cases.build();
    }

    List<String> write(List<String> actual)
    {
        return ImmutableList.<String>builder()
                .add("== " + title)
                .addAll(input)
                .add("--")
                .addAll(actual)
                .build();
    }

    List<String> run()
    {
        RewriteOptions options = options();
        List<DataFileInfo> files = files();
        RewritePlan plan = RewritePlanner.plan(options, files);
        RewritePlan again = RewritePlanner.plan(options, AppliedPlan.apply(plan, files, "r", () -> 1));

        ImmutableList.Builder<String> lines = ImmutableList.builder();
        if (!input.contains("show totals")) {
            plan.groups().forEach(group -> lines.add(describe(group)));
        }
        lines.add("total: " + (plan.isEmpty() ? "nothing to rewrite" : "%s of %s -> %s, %s copied".formatted(
                count(plan.groups().size(), "group"),
                count(plan.inputFiles(), "file"),
                count(plan.outputFiles(), "file"),
                plan.groups(RewritePath.COPY))));
        plan.leftAlone().forEach(left -> lines.add("left alone: %s, %s in %s: %s".formatted(
                count(left.files(), "file"),
                megabytes(left.bytes()),
                count(left.partitions(), "partition"),
                left.reason())));
        lines.add("again: " + (again.isEmpty() ? "nothing to rewrite" : "%s of %s".formatted(
                count(again.groups().size(), "group"),
                count(again.inputFiles(), "file"))));
        return lines.build();
    }

    private RewriteOptions options()
    {
        RewriteArguments.Builder arguments = RewriteArguments.builder();
        int outputSpecId = 0;
        boolean copyEnabled = true;
        for (Map.Entry<String, String> option : words("options").stream().flatMap(line -> line.entrySet().stream()).toList()) {
            String value = option.getValue();
            switch (option.getKey()) {
                case "target_file_size" -> arguments.setTargetFileSize(size(value));
                case "min_file_size" -> arguments.setMinFileSize(size(value));
                case "max_file_size" -> arguments.setMaxFileSize(size(value));
                case "min_input_files" -> arguments.setMinInputFiles(Integer.parseInt(value));
                case "max_file_group_size" -> arguments.setMaxFileGroupSize(size(value));
                case "delete_file_threshold" -> arguments.setDeleteFileThreshold(Integer.parseInt(value));
                case "delete_ratio_threshold" -> arguments.setDeleteRatioThreshold(Double.parseDouble(value));
                case "rewrite_all" -> arguments.setRewriteAll(true);
                case "rewrite_job_order" -> arguments.setRewriteJobOrder(RewriteJobOrder.parse(value));
                case "max_files_to_rewrite" -> arguments.setMaxFilesToRewrite(Integer.parseInt(value));
                case "output_spec" -> outputSpecId = Integer.parseInt(value);
                case "copy" -> copyEnabled = !value.equals("off");
                default -> throw new IllegalArgumentException("unknown option: " + option);
            }
        }
        return RewriteOptions.create(arguments.build(), TABLE_TARGET_FILE_SIZE, outputSpecId, copyEnabled);
    }

    private List<DataFileInfo> files()
    {
        List<DataFileInfo> files = new ArrayList<>();
        for (Map<String, String> line : words("files")) {
            Map<String, String> words = new HashMap<>(line);
            int count = Integer.parseInt(words.remove("count"));
            long size = size(words.remove("size"));
            List<String> partitions = expand(Optional.ofNullable(words.remove("partition")).orElse(""));
            int spec = Integer.parseInt(Optional.ofNullable(words.remove("spec")).orElse("0"));
            long sequenceNumber = Long.parseLong(Optional.ofNullable(words.remove("seq")).orElse("1"));
            long records = Long.parseLong(Optional.ofNullable(words.remove("records")).orElse("100"));
            long deleted = Long.parseLong(Optional.ofNullable(words.remove("deleted")).orElse("0"));
            int positionDeletes = Integer.parseInt(Optional.ofNullable(words.remove("pos")).orElse("0"));
            int equalityDeletes = Integer.parseInt(Optional.ofNullable(words.remove("eq")).orElse("0"));
            boolean settled = words.remove("settled") != null;
            Optional<String> obstacle = Optional.ofNullable(words.remove("obstacle")).map(text -> text.replace('_', ' '));
            checkArgument(words.isEmpty(), "unknown words: %s", words);
            for (String partition : partitions) {
                for (int i = 0; i < count; i++) {
                    String path = String.format(Locale.ROOT, "f%07d", files.size() + 1);
                    files.add(new DataFileInfo(path, size, records, spec, partition, sequenceNumber, settled, positionDeletes, equalityDeletes, deleted, obstacle));
                }
            }
        }
        return files;
    }

    private List<Map<String, String>> words(String kind)
    {
        return input.stream()
                .filter(line -> line.startsWith(kind + " "))
                .map(line -> {
                    List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
                    Map<String, String> values = new LinkedHashMap<>();
                    int next = 1;
                    if (kind.equals("files")) {
                        checkArgument(words.get(2).equals("x"), "not 'files COUNT x SIZE': %s", line);
                        values.put("count", words.get(1));
                        values.put("size", words.get(3));
                        next = 4;
                    }
                    for (String word : words.subList(next, words.size())) {
                        List<String> parts = Splitter.on('=').limit(2).splitToList(word);
                        values.put(parts.getFirst(), parts.size() == 2 ? parts.get(1) : "");
                    }
                    return values;
                })
                .collect(toImmutableList());
    }

    private static List<String> expand(String text)
    {
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches()) {
            return ImmutableList.of(text);
        }
        return IntStream.rangeClosed(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))
                .mapToObj(value -> matcher.group(1) + value + matcher.group(4))
                .collect(toImmutableList());
    }

    private static long size(String text)
    {
        Matcher matcher = SIZE.matcher(text);
        checkArgument(matcher.matches(), "not a size: %s", text);
        return (long) (Double.parseDouble(matcher.group(1)) * UNITS.get(matcher.group(2)));
    }

    private static String describe(FileGroup group)
    {
        return "group %s: spec %s%s: %s (%s, %s) -> %s of %s in all; %s: %s; %s".formatted(
                group.id(),
                group.partition().specId(),
                group.partition().partition().isEmpty() ? "" : " " + group.partition().partition(),
                ranges(group.files()),
                count(group.files().size(), "file"),
                megabytes(group.inputBytes()),
                count(group.outputFiles(), "file"),
                megabytes(group.liveBytes()),
                group.path(),
                group.pathReason(),
                group.reasons().stream().map(RewriteReason::name).collect(joining(" ")));
    }

    private static String ranges(List<DataFileInfo> files)
    {
        List<String> ranges = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= files.size(); i++) {
            if (i == files.size() || number(files.get(i)) != number(files.get(i - 1)) + 1) {
                int first = number(files.get(start));
                int last = number(files.get(i - 1));
                ranges.add(first == last ? "f" + first : "f%s..f%s".formatted(first, last));
                start = i;
            }
        }
        return String.join(" ", ranges);
    }

    private static int number(DataFileInfo file)
    {
        return Integer.parseInt(file.path().substring(1));
    }

    private static String count(long count, String noun)
    {
        return "%s %s%s".formatted(count, noun, count == 1 ? "" : "s");
    }

    private static String megabytes(long bytes)
    {
        String text = String.format(Locale.ROOT, "%.1fMB", (double) bytes / ByteSize.MEGABYTE);
        return text.replace(".0MB", "MB");
    }

    @Override
    public String toString()
    {
        return title;
    }
}
