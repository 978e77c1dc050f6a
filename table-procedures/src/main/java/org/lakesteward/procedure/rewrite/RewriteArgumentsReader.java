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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableProperties;
import org.lakesteward.planner.rewrite.InvalidRewriteArgument;
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteJobOrder;
import org.lakesteward.planner.rewrite.RewriteOptions;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.plugin.iceberg.IcebergSessionProperties.isSortedWritingEnabled;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.doubleProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.apache.iceberg.util.PropertyUtil.propertyAsLong;
import static org.lakesteward.procedure.LakeErrorCode.INVALID_MAINTENANCE_ARGUMENT;

/**
 * The arguments of {@code rewrite_data_files}: their declaration for the engine, and their check against a table. Thread-safe.
 */
public class RewriteArgumentsReader
{
    static final String SORT_ORDER = "sort_order";

    private final SortOrderReader sortOrderReader;
    private final boolean copyEnabled;

    @Inject
    public RewriteArgumentsReader(RewriteConfig config, TypeManager typeManager)
    {
        sortOrderReader = new SortOrderReader(typeManager);
        copyEnabled = config.isCopyEnabled();
    }

    /**
     * All arguments are optional; a default that depends on the table or on another argument is absent here.
     */
    static List<PropertyMetadata<?>> declarations()
    {
        return ImmutableList.of(
                stringProperty("strategy", "How files are put together; binpack packs whole files into files of the target size, sort gives each file a key range of its own, zorder a range of a curve through several columns", RewriteStrategy.BINPACK.toString(), false),
                sortOrderProperty(),
                dataSizeProperty("target_file_size", "Size of the files to write; default is the table's write.target-file-size-bytes", null, false),
                dataSizeProperty("min_file_size", "Files below are rewritten; default is 0.75 of the target", null, false),
                dataSizeProperty("max_file_size", "Files above are divided; default is 1.8 of the target", null, false),
                integerProperty("min_input_files", "Small files of a partition that are worth a rewrite; default is 5", null, false),
                dataSizeProperty("max_file_group_size", "Most input bytes of one file group, which one worker rewrites; default is 100GB", null, false),
                integerProperty("delete_file_threshold", "Delete files that make a data file worth a rewrite; default is 2", null, false),
                doubleProperty("delete_ratio_threshold", "Share of deleted rows that makes a data file worth a rewrite; default is 0.3", null, false),
                booleanProperty("rewrite_all", "Rewrite every file", false, false),
                booleanProperty("remove_dangling_deletes", "Remove delete files that no data file needs any more", true, false),
                stringProperty("rewrite_job_order", "Which file groups come first: none, bytes-asc, bytes-desc, files-asc or files-desc", null, false),
                integerProperty("max_files_to_rewrite", "Most data files that one statement rewrites; default is no limit", null, false),
                integerProperty("output_spec_id", "Partition spec of the files to write; default is the table's current spec", null, false),
                stringProperty("on_conflict", "When another commit touched rewritten files: fail, or skip_group to commit the other file groups", "fail", false),
                booleanProperty("dry_run", "Plan and report, but change nothing", false, false));
    }

    /**
     * @param values what the user gave, by argument name; null or absent means the default
     * @throws TrinoException INVALID_MAINTENANCE_ARGUMENT with one sentence that names argument, value and range
     */
    RewriteSettings read(ConnectorSession session, Map<String, Object> values, BaseTable table)
    {
        try {
            RewriteStrategy strategy = RewriteStrategy.parse(Optional.ofNullable((String) values.get("strategy")).orElse(RewriteStrategy.BINPACK.toString()));
            Optional<SortRequest> sort = sortRequest(session, strategy, values, table);
            RewriteOptions options = RewriteOptions.create(arguments(values), targetFileSize(table), outputSpecId((Integer) values.get("output_spec_id"), table), copyEnabled);
            return new RewriteSettings(
                    options,
                    sort,
                    Optional.ofNullable((Boolean) values.get("remove_dangling_deletes")).orElse(true),
                    ConflictAction.parse(Optional.ofNullable((String) values.get("on_conflict")).orElse("fail")),
                    Optional.ofNullable((Boolean) values.get("dry_run")).orElse(false));
        }
        catch (InvalidRewriteArgument e) {
            throw new TrinoException(INVALID_MAINTENANCE_ARGUMENT, e.getMessage(), e);
        }
    }

    private static PropertyMetadata<?> sortOrderProperty()
    {
        return new PropertyMetadata<>(
                SORT_ORDER,
                "Columns to sort by, in the notation of sorted_by; default is the table's own order; for zorder two to six columns without direction",
                new ArrayType(VARCHAR),
                List.class,
                null,
                false,
                value -> (List<?>) value,
                value -> value);
    }

    private Optional<SortRequest> sortRequest(ConnectorSession session, RewriteStrategy strategy, Map<String, Object> values, BaseTable table)
    {
        Optional<List<?>> texts = Optional.ofNullable((List<?>) values.get(SORT_ORDER));
        if (strategy == RewriteStrategy.BINPACK) {
            texts.ifPresent(given -> {
                throw new InvalidRewriteArgument(SORT_ORDER, "given", "absent with strategy 'binpack', which sorts nothing");
            });
            return Optional.empty();
        }
        if (!isSortedWritingEnabled(session)) {
            throw new InvalidRewriteArgument("strategy", "'" + strategy + "'", "'binpack' while the catalog session property sorted_writing_enabled is false");
        }
        if (values.get("max_file_group_size") != null) {
            throw new InvalidRewriteArgument("max_file_group_size", "given", "absent with strategy '%s', whose groups are divided among all workers".formatted(strategy));
        }
        Optional<List<?>> zOrderColumns = texts.flatMap(SortOrderReader::zOrderColumns);
        if (strategy == RewriteStrategy.ZORDER || zOrderColumns.isPresent()) {
            return Optional.of(sortOrderReader.readZOrder(zOrderColumns.or(() -> texts), table));
        }
        return Optional.of(sortOrderReader.read(texts, table));
    }

    private static RewriteArguments arguments(Map<String, Object> values)
    {
        RewriteArguments.Builder arguments = RewriteArguments.builder();
        bytes(values, "target_file_size").ifPresent(arguments::setTargetFileSize);
        bytes(values, "min_file_size").ifPresent(arguments::setMinFileSize);
        bytes(values, "max_file_size").ifPresent(arguments::setMaxFileSize);
        value(values, "min_input_files", Integer.class).ifPresent(arguments::setMinInputFiles);
        bytes(values, "max_file_group_size").ifPresent(arguments::setMaxFileGroupSize);
        value(values, "delete_file_threshold", Integer.class).ifPresent(arguments::setDeleteFileThreshold);
        value(values, "delete_ratio_threshold", Double.class).ifPresent(arguments::setDeleteRatioThreshold);
        value(values, "rewrite_all", Boolean.class).ifPresent(arguments::setRewriteAll);
        value(values, "rewrite_job_order", String.class).map(RewriteJobOrder::parse).ifPresent(arguments::setRewriteJobOrder);
        value(values, "max_files_to_rewrite", Integer.class).ifPresent(arguments::setMaxFilesToRewrite);
        return arguments.build();
    }

    private static Optional<Long> bytes(Map<String, Object> values, String name)
    {
        return value(values, name, DataSize.class).map(DataSize::toBytes);
    }

    private static <T> Optional<T> value(Map<String, Object> values, String name, Class<T> type)
    {
        return Optional.ofNullable(values.get(name)).map(type::cast);
    }

    private static long targetFileSize(BaseTable table)
    {
        return propertyAsLong(table.properties(), TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    }

    private static int outputSpecId(Integer requested, BaseTable table)
    {
        if (requested == null) {
            return table.spec().specId();
        }
        PartitionSpec spec = table.specs().get(requested);
        if (spec == null) {
            throw new InvalidRewriteArgument("output_spec_id", requested.toString(), "one of the table's partition specs " + table.specs().keySet().stream().sorted().toList());
        }
        boolean sourcesExist = spec.fields().stream().allMatch(field -> table.schema().findField(field.sourceId()) != null);
        if (!sourcesExist) {
            throw new InvalidRewriteArgument("output_spec_id", requested.toString(), "a partition spec whose source columns all exist");
        }
        return requested;
    }
}
