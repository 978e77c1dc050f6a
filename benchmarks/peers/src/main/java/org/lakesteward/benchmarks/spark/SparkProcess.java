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
package org.lakesteward.benchmarks.spark;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Main class of a Spark process that runs one SQL statement after the other for its starter, and whose life is bound to it.
 * Standard input: settings as lines {@code name=value}, an empty line, then one statement a line. Standard output: one line that
 * begins with {@code READY}, then for each statement one that begins with {@code ROWS} and holds a JSON array of the result's rows,
 * or with {@code FAILED} and holds the reason. When the starter closes its end of standard input or dies, however it dies, this
 * process ends at once.
 */
public final class SparkProcess
{
    private SparkProcess() {}

    /**
     * @param arguments none
     */
    public static void main(String[] arguments)
    {
        PrintStream answers = new PrintStream(System.out, true, UTF_8);
        // nothing else may stand between the answers
        System.setOut(System.err);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread watch = new Thread(() -> readUntilStarterEnds(lines), "starter-watch");
        watch.setDaemon(true);
        watch.start();

        try {
            serve(lines, answers);
        }
        catch (Throwable e) {
            e.printStackTrace();
            // Spark's own threads would keep the process alive
            Runtime.getRuntime().halt(1);
        }
    }

    private static void serve(BlockingQueue<String> lines, PrintStream answers)
            throws InterruptedException
    {
        SparkSession.Builder builder = SparkSession.builder();
        for (String line = lines.take(); !line.isEmpty(); line = lines.take()) {
            int separator = line.indexOf('=');
            builder.config(line.substring(0, separator), line.substring(separator + 1));
        }
        SparkSession session = builder.getOrCreate();
        answers.println("READY %s on Java %s".formatted(session.version(), Runtime.version()));
        while (true) {
            answers.println(answer(session, lines.take()));
        }
    }

    private static String answer(SparkSession session, String statement)
    {
        try {
            return session.sql(statement).collectAsList().stream()
                    .map(Row::json)
                    .collect(Collectors.joining(",", "ROWS [", "]"));
        }
        catch (Exception e) {
            // Spark's own exceptions are checked ones that no method declares
            e.printStackTrace();
            return "FAILED " + e.toString().replaceAll("\\s+", " ");
        }
    }

    private static void readUntilStarterEnds(BlockingQueue<String> lines)
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        }
        catch (IOException e) {
            e.printStackTrace();
        }
        finally {
            // no orderly shutdown: nobody is left to wait for it
            Runtime.getRuntime().halt(1);
        }
    }
}
