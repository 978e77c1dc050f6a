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
package org.lakesteward.benchmarks.peers;

import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What is read: the input, or what an engine made of it.
 */
enum TableVersion
{
    INPUT("input", "input"),
    OURS(Engine.OURS),
    OPTIMIZE(Engine.OPTIMIZE),
    SPARK(Engine.SPARK);

    private final String id;
    private final String title;
    private final Optional<Engine> engine;

    TableVersion(String id, String title)
    {
        this.id = requireNonNull(id, "id is null");
        this.title = requireNonNull(title, "title is null");
        engine = Optional.empty();
    }

    TableVersion(Engine engine)
    {
        this.id = engine.id();
        this.title = "after " + engine.title();
        this.engine = Optional.of(engine);
    }

    static TableVersion after(Engine engine)
    {
        return Arrays.stream(values())
                .filter(version -> version.engine.equals(Optional.of(engine)))
                .findFirst()
                .orElseThrow();
    }

    String id()
    {
        return id;
    }

    String title()
    {
        return title;
    }
}
