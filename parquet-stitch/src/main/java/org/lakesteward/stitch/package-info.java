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
 * Merges many small Parquet files into few large ones without decoding their values.
 *
 * <p>{@link org.lakesteward.stitch.StitchDecision} says of each file whether its pages can be taken over or it has to be encoded
 * first; {@link org.lakesteward.stitch.Stitcher} takes them over; {@link org.lakesteward.stitch.StitchVerification} reads the
 * result back. Nothing here knows of an engine or a table format, but for the two columns that keep Iceberg's row lineage.
 *
 * <h2>Rules of the format that this relies on</h2>
 * References are to files of <a href="https://github.com/apache/parquet-format">parquet-format</a>.
 * <ul>
 * <li>A column chunk is a dictionary page, if it has one, and data pages, one after the other (README.md, "Column chunks"). A
 *     data page needs nothing of other pages but the dictionary: levels and values begin anew in each (README.md, "Data pages";
 *     Encodings.md). So pages of several files are a column chunk, provided that schema and codec are the same. The exceptions
 *     are old writers whose DELTA_BYTE_ARRAY pages need the page before them; they are not trusted.
 * <li>Dictionary-encoded values are a byte with the bit width and an RLE/bit-packed hybrid of indices (Encodings.md, "Dictionary
 *     encoding"). A chunk has one dictionary, so dictionaries are united and indices are mapped, run by run. The bit width is
 *     a page's own. Pages may fall back to other encodings within a chunk, and need not go back.
 * <li>The last group of a packed run is padded by anything; the number of values without nulls, which the definition levels
 *     tell, is the only thing that says where indices end (Encodings.md, "RLE/bit-packing hybrid").
 * <li>Levels of version 1 pages have their length in front and are compressed with the values; those of version 2 pages have
 *     it in the header and are not compressed (parquet.thrift, DataPageHeaderV2). Both kinds may stand in one chunk.
 * <li>Codec and encodings are a column chunk's, the former for all of its pages (parquet.thrift, ColumnMetaData). Encoding
 *     statistics list how many pages there are of each kind; readers use dictionaries to skip row groups only if these say
 *     that no page has another encoding. They are counted anew and always exact.
 * <li>Bounds are in the order of the column's type; NaN is no bound, and of zeros the minimum is the negative one (parquet.thrift,
 *     ColumnOrder). Where the format defines no order there are no bounds. The union of bounds is as tight as bounds that are
 *     not looked into can be.
 * <li>Checksums are of a page's body as it lies in the file (README.md, "Checksumming"). They are checked where they are, and
 *     pages made of pages that have them get them too.
 * <li>A page index needs pages that begin with a row (PageIndex.md). Trino's reader expects an offset index for all columns of a
 *     row group once one has a column index, so that a row group has offset indexes for all of its columns or for none. Bounds
 *     of a page are those of the chunks that it came from.
 * <li>Split-block Bloom filters of one size are united by OR (BloomFilter.md); others are dropped.
 * <li>Offsets of all kinds are of the file, and are made anew. The ordinals of row groups count from 0.
 * </ul>
 */
package org.lakesteward.stitch;
