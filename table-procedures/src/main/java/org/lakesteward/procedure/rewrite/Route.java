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

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;

/**
 * Where a row goes, as it stands in the text column that travels with it. A row of data has the route alone, in a z-order with its place on the curve; after the last row of a file there is a mark for each
 * range, which says how many rows the range gets of that file, so that a writer knows when its range is complete. Numbers are binary, since each row has a route.
 * A portion of a group that was sorted within the scan sends neither, only its fragments.
 */
final class Route
{
    private static final int GROUP = Integer.BYTES;
    private static final int RANGE = 2 * Integer.BYTES;
    static final int LENGTH = 3 * Integer.BYTES;

    private static final int NO_RANGE = -1;
    private static final int PLACE = LENGTH;
    private static final int PLACED_LENGTH = PLACE + Long.BYTES;

    private static final int FILES = LENGTH;
    private static final int FILE = FILES + Integer.BYTES;
    private static final int FIRST_RANGE = FILE + Integer.BYTES;
    private static final int ROWS = FIRST_RANGE + Integer.BYTES;
    private static final int FILE_ROWS = ROWS + Long.BYTES;
    private static final int MARK_LENGTH = FILE_ROWS + Long.BYTES;

    private Route() {}

    static Slice route(int bucket, int group, int range)
    {
        Slice slice = Slices.allocate(LENGTH);
        set(slice, bucket, group, range);
        return slice;
    }

    /** Of a row of a z-order, with the row's place on the curve. */
    static Slice route(int bucket, int group, int range, long place)
    {
        Slice slice = Slices.allocate(PLACED_LENGTH);
        set(slice, bucket, group, range);
        slice.setLong(PLACE, place);
        return slice;
    }

    /**
     * @param files so many files make up the group
     * @param file the file's number within the group
     * @param firstRange the first of the ranges that this pass over the file is for
     * @param rows of the file in the range
     * @param fileRows all rows of the file
     */
    static Slice mark(int bucket, int group, int range, int files, int file, int firstRange, long rows, long fileRows)
    {
        Slice slice = Slices.allocate(MARK_LENGTH);
        set(slice, bucket, group, range);
        slice.setInt(FILES, files);
        slice.setInt(FILE, file);
        slice.setInt(FIRST_RANGE, firstRange);
        slice.setLong(ROWS, rows);
        slice.setLong(FILE_ROWS, fileRows);
        return slice;
    }

    private static void set(Slice slice, int bucket, int group, int range)
    {
        slice.setInt(0, bucket);
        slice.setInt(GROUP, group);
        slice.setInt(RANGE, range);
    }

    static int bucket(Slice route)
    {
        return route.getInt(0);
    }

    static int group(Slice route)
    {
        return route.getInt(GROUP);
    }

    static int range(Slice route)
    {
        return route.getInt(RANGE);
    }

    static long place(Slice route)
    {
        return route.getLong(PLACE);
    }

    static boolean isMark(Slice route)
    {
        return route.length() == MARK_LENGTH && range(route) != NO_RANGE;
    }

    /** Carries what a worker that sorted a portion of a group by itself has to report. */
    static Slice fragment(int bucket, int group, Slice fragment)
    {
        Slice slice = Slices.allocate(LENGTH + fragment.length());
        set(slice, bucket, group, NO_RANGE);
        slice.setBytes(LENGTH, fragment);
        return slice;
    }

    static boolean isFragment(Slice route)
    {
        return range(route) == NO_RANGE;
    }

    static Slice fragment(Slice route)
    {
        return route.copy(LENGTH, route.length() - LENGTH);
    }

    static int files(Slice mark)
    {
        return mark.getInt(FILES);
    }

    static int file(Slice mark)
    {
        return mark.getInt(FILE);
    }

    static int firstRange(Slice mark)
    {
        return mark.getInt(FIRST_RANGE);
    }

    static long rows(Slice mark)
    {
        return mark.getLong(ROWS);
    }

    static long fileRows(Slice mark)
    {
        return mark.getLong(FILE_ROWS);
    }
}
