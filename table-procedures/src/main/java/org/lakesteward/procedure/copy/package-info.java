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

/**
 * The copy path of {@code rewrite_data_files}: row groups of Parquet files become row groups of a new file byte for byte, and
 * only the footer is written anew.
 * <p>
 * This is right because of the following rules of the <a href="https://parquet.apache.org/docs/file-format/">Parquet format</a>
 * (names in parentheses are sections of the specification or structs of {@code parquet.thrift}):
 * <ul>
 * <li>Pages of a column chunk refer to nothing outside of it: dictionary, levels, encoding and compression are the chunk's
 *     own (<i>Column chunks</i>, <i>Data Pages</i>; {@code ColumnMetaData}). Hence chunks of different codecs, encodings and
 *     page versions may stand in one file, and page checksums, which cover the page alone, stay valid (<i>Checksumming</i>).</li>
 * <li>Where a chunk is, is said in the footer only, in absolute offsets: {@code data_page_offset},
 *     {@code dictionary_page_offset}, {@code bloom_filter_offset}, {@code column_index_offset}, {@code offset_index_offset},
 *     {@code RowGroup.file_offset} (<i>Metadata</i>). {@code ColumnChunk.file_offset} is deprecated and is 0 or in the chunk.</li>
 * <li>An offset index has absolute page offsets and rows counted from the row group's first, so it is shifted; a column index
 *     has neither, so it is copied as it is. Both stand between the last row group and the footer (<i>Page Index</i>).</li>
 * <li>A Bloom filter is a header with its own length and a bitset; it may stand behind its row group
 *     (<i>Bloom Filter: File Format</i>). Older writers give its length in that header only.</li>
 * <li>The schema holds for all row groups and is a depth-first list of elements; chunks are in the order of its leaves
 *     ({@code SchemaElement}, {@code RowGroup.columns}). Hence inputs must have equal elements below the root, whose name
 *     means nothing. What a column is for Iceberg is said by its field id
 *     (<a href="https://iceberg.apache.org/spec/#parquet">Iceberg specification, Appendix A, Parquet</a>).</li>
 * <li>The order of bounds is that of {@code column_orders}; without it, bounds are undefined ({@code ColumnOrder}). Readers
 *     choose work-arounds by {@code created_by} ({@code FileMetaData}) and by some key-value metadata:
 *     {@link org.lakesteward.procedure.copy.FooterMetadataPolicy} says what becomes of these.</li>
 * <li>Ordinals of row groups are 16 bits wide ({@code RowGroup.ordinal}). {@code sorting_columns} speak of one row group and
 *     number its leaves, and stay true.</li>
 * </ul>
 * Format version 3 of Iceberg adds
 * <a href="https://iceberg.apache.org/spec/#row-lineage">row lineage</a>: rows that inherit {@code _row_id} from their place
 * in the old file would get other ids in the new one, so the copy gets both columns as data, a DELTA_BINARY_PACKED chunk
 * (<i>Delta Encoding</i>) made without materialising values.
 * <p>
 * A struct of the footer is parsed by the generated classes, which drop fields that they do not know: what a later version of
 * the format adds to a footer does not come along. What it may add to a schema element, a column order or a page is refused
 * or stays untouched.
 * <p>
 * Order of use: {@link org.lakesteward.procedure.copy.ParquetFooter#read} each input,
 * {@link org.lakesteward.procedure.copy.CopyCheck#obstacle} each against the first, then a
 * {@link org.lakesteward.procedure.copy.RowGroupCopier} per output, then
 * {@link org.lakesteward.procedure.copy.CopyVerification#verify} and
 * {@link org.lakesteward.procedure.copy.CopiedFile#metrics()}.
 */
package org.lakesteward.procedure.copy;
