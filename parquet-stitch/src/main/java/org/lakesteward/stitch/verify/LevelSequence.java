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
package org.lakesteward.stitch.verify;

/**
 * Levels of one kind, as a sequence. Not safe for use by several threads.
 */
final class LevelSequence
        implements HybridDecoder.Consumer
{
    private final int maxLevel;
    private final int countedLevel;
    private final SequenceHash hash = new SequenceHash();
    private int counted;

    /**
     * @param countedLevel see {@link #counted()}
     */
    LevelSequence(int maxLevel, int countedLevel)
    {
        this.maxLevel = maxLevel;
        this.countedLevel = countedLevel;
    }

    /**
     * Goes on with a page.
     */
    void add(byte[] bytes, int start, int end, int count)
            throws MalformedValuesException
    {
        counted = 0;
        HybridDecoder.decode(bytes, start, end, Integer.SIZE - Integer.numberOfLeadingZeros(maxLevel), count, this);
    }

    /**
     * Goes on with one level, so many times.
     */
    void addRun(int level, long count)
    {
        hash.addRun(level + 1, count);
    }

    @Override
    public void repeated(int level, int times)
            throws MalformedValuesException
    {
        check(level);
        hash.addRun(level + 1, times);
        counted += level == countedLevel ? times : 0;
    }

    @Override
    public void packed(int[] levels, int count)
            throws MalformedValuesException
    {
        for (int position = 0; position < count; position++) {
            int level = levels[position];
            check(level);
            hash.add(level + 1);
            counted += level == countedLevel ? 1 : 0;
        }
    }

    private void check(int level)
            throws MalformedValuesException
    {
        if (level < 0 || level > maxLevel) {
            throw new MalformedValuesException("a level is %s, the maximum is %s".formatted(Integer.toUnsignedString(level), maxLevel));
        }
    }

    /**
     * @return how often the counted level was in the last page
     */
    int counted()
    {
        return counted;
    }

    long value()
    {
        return hash.value();
    }
}
