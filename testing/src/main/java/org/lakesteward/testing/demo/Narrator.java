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
package org.lakesteward.testing.demo;

import org.lakesteward.testing.server.StatementResult;
import org.lakesteward.testing.server.TrinoClient;

import java.io.PrintStream;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Runs statements and prints each one as a reader could run it, with what came back. Thread-safe.
 */
final class Narrator
{
    private final TrinoClient client;
    private final PrintStream out;

    Narrator(TrinoClient client, PrintStream out)
    {
        this.client = requireNonNull(client, "client is null");
        this.out = requireNonNull(out, "out is null");
    }

    void heading(String text)
    {
        out.printf("%n== %s%n", text);
    }

    void say(String text)
    {
        out.println(text);
    }

    /**
     * Prints a statement without running it.
     */
    void print(String sql)
    {
        out.printf("%nlake:demo> %s;%n", sql.strip().replace("\n", "\n         > "));
    }

    void print(List<String> columns, List<List<Object>> rows)
    {
        out.print(TextTable.format(columns, rows));
    }

    /**
     * Runs a statement without printing it.
     */
    StatementResult runQuietly(String sql)
    {
        return client.query(sql);
    }

    /**
     * Prints a statement and runs it, without its result.
     */
    StatementResult run(String sql)
    {
        print(sql);
        return client.query(sql);
    }

    /**
     * Prints a statement, runs it and prints its result.
     */
    StatementResult show(String sql)
    {
        StatementResult result = run(sql);
        print(result.columns(), result.rows());
        return result;
    }
}
