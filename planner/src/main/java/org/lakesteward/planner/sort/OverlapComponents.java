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
package org.lakesteward.planner.sort;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

/**
 * Divides files into the sets within which overlaps lead from each file to each other. A pure function.
 * <p>
 * Files are looked at in the order of their first keys. Of each set that is not left behind yet, two files matter: the one that reaches farthest, and the one
 * that does among those of other sorts, because files of one sort do not overlap. Near-linear, as long as few sets lie side by side.
 */
final class OverlapComponents
{
    static final Comparator<KeyedFile> KEY_ORDER = comparingLong((KeyedFile file) -> file.keys().first())
            .thenComparingLong(file -> file.keys().last())
            .thenComparing(file -> file.info().path());

    private OverlapComponents() {}

    /**
     * The sets by their first keys, and the files of each by theirs.
     */
    static List<List<KeyedFile>> of(List<KeyedFile> files)
    {
        List<Component> open = new ArrayList<>();
        List<Component> all = new ArrayList<>();
        for (KeyedFile file : files.stream().sorted(KEY_ORDER).toList()) {
            Component component = new Component();
            component.add(file);
            for (Iterator<Component> iterator = open.iterator(); iterator.hasNext(); ) {
                Component other = iterator.next();
                if (other.farthest.keys().last() <= file.keys().first()) {
                    iterator.remove();
                }
                else if (other.overlaps(file)) {
                    iterator.remove();
                    component.takeOver(other);
                }
            }
            open.add(component);
            all.add(component);
        }
        return all.stream()
                .filter(component -> !component.takenOver)
                .map(component -> component.files.stream().sorted(KEY_ORDER).collect(ImmutableList.toImmutableList()))
                .sorted(comparing(List::getFirst, KEY_ORDER))
                .collect(ImmutableList.toImmutableList());
    }

    private static final class Component
    {
        private List<KeyedFile> files = new ArrayList<>();
        private KeyedFile farthest;
        private Optional<KeyedFile> farthestOfOthers = Optional.empty();
        private boolean takenOver;

        void add(KeyedFile file)
        {
            files.add(file);
            reachTo(file);
        }

        /** Files come by their first keys, so that overlap is a matter of how far the others reach. */
        boolean overlaps(KeyedFile file)
        {
            if (!sameRun(farthest, file)) {
                return farthest.keys().last() > file.keys().first();
            }
            return farthestOfOthers.isPresent() && farthestOfOthers.get().keys().last() > file.keys().first();
        }

        void takeOver(Component other)
        {
            other.takenOver = true;
            // the smaller list is copied, so that many takeovers cost little
            if (other.files.size() > files.size()) {
                List<KeyedFile> mine = files;
                files = other.files;
                files.addAll(mine);
            }
            else {
                files.addAll(other.files);
            }
            reachTo(other.farthest);
            other.farthestOfOthers.ifPresent(this::reachTo);
        }

        private void reachTo(KeyedFile file)
        {
            if (farthest == null) {
                farthest = file;
            }
            else if (file.keys().last() > farthest.keys().last()) {
                if (!sameRun(file, farthest)) {
                    farthestOfOthers = Optional.of(farthest);
                }
                farthest = file;
            }
            else if (!sameRun(file, farthest) && (farthestOfOthers.isEmpty() || file.keys().last() > farthestOfOthers.get().keys().last())) {
                farthestOfOthers = Optional.of(file);
            }
        }

        private static boolean sameRun(KeyedFile left, KeyedFile right)
        {
            return left.run().isPresent() && left.run().equals(right.run());
        }
    }
}
