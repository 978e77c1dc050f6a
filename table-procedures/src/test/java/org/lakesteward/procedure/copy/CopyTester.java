
package org.lakesteward.procedure.copy;

import io.airlift.units.DataSize;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.lakesteward.procedure.copy.CopyVerification.Source;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A file system in memory, and the copying of whole files in it as the connector does it.
 */
final class CopyTester
{
    static final CopyOptions SMALL_STEPS = new CopyOptions(DataSize.of(1, KILOBYTE), DataSize.of(4, KILOBYTE), DataSize.of(15, MEGABYTE), DataSize.ofBytes(0));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private int files;

    MemoryFileSystem fileSystem()
    {
        return fileSystem;
    }

    Location store(byte[] bytes)
            throws IOException
    {
        Location location = newLocation();
        try (OutputStream output = fileSystem.newOutputFile(location).create()) {
            output.write(bytes);
        }
        return location;
    }

    Location newLocation()
    {
        files++;
        return Location.of("memory:///file-" + files + ".parquet");
    }

    ParquetFooter footer(byte[] bytes)
            throws IOException
    {
        return footer(store(bytes));
    }

    ParquetFooter footer(Location location)
            throws IOException
    {
        TrinoInputFile file = fileSystem.newInputFile(location);
        try (TrinoInput input = file.newInput()) {
            return ParquetFooter.read(input, location, file.length(), DataSize.of(15, MEGABYTE));
        }
    }

    CopyInput input(byte[] bytes)
            throws IOException
    {
        return new CopyInput(footer(bytes), Optional.empty());
    }

    CopyInput input(byte[] bytes, RowLineage lineage)
            throws IOException
    {
        return new CopyInput(footer(bytes), Optional.of(lineage));
    }

    byte[] bytes(Location location)
            throws IOException
    {
        TrinoInputFile file = fileSystem.newInputFile(location);
        try (TrinoInput input = file.newInput()) {
            return input.readFully(0, (int) file.length()).getBytes();
        }
    }

    /** Copies, verifies and validates. */
    CopiedFile copy(List<CopyInput> inputs, CopyOptions options)
            throws Exception
    {
        Location location = newLocation();
        RowGroupCopier copier = RowGroupCopier.create(fileSystem, location, inputs.getFirst(), options, newSimpleAggregatedMemoryContext());
        List<Source> sources = new ArrayList<>();
        for (CopyInput input : inputs) {
            try (TrinoInput source = fileSystem.newInputFile(input.footer().location()).newInput()) {
                for (int rowGroup = 0; rowGroup < input.footer().rowGroupCount(); rowGroup++) {
                    assertThat(copier.hasRoomFor(input, rowGroup)).isTrue();
                    RowGroupCopy copy = copier.append(source, input, rowGroup);
                    boolean complete = false;
                    while (!complete) {
                        long before = copier.writtenBytes();
                        complete = copy.step();
                        // pages of lineage are written whole, and Bloom filter headers besides
                        assertThat(copier.writtenBytes() - before).isLessThanOrEqualTo(options.maxStepSize().toBytes() + 8 * 1024);
                        assertThat(copier.retainedBytes()).isGreaterThan(options.maxStepSize().toBytes());
                    }
                }
            }
            sources.add(new Source(input.footer(), input.footer().rowCount()));
        }
        CopiedFile copied = copier.finish();
        assertThat(copied.size()).isEqualTo(fileSystem.newInputFile(location).length());
        CopyVerification.verify(copied, sources);
        try (TrinoInput input = fileSystem.newInputFile(location).newInput()) {
            CopyVerification.verifyStored(copied, input);
        }
        return copied;
    }
}
