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
package org.lakesteward.planner;

import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.File;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The planner is pure: it depends on the JDK and Guava alone, and reads no clock, draws no random number and does no I/O.
 */
public class TestPlannerDependencies
{
    private static final String PLANNER = "org.lakesteward.planner..";

    private static final ArchRule DEPENDENCIES = classes()
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "com.google.common..", PLANNER);

    private static final ArchRule NO_IO = noClasses()
            .should().dependOnClassesThat().resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..");

    private static final ArchRule NO_AMBIENT_STATE = noClasses()
            .should().accessTargetWhere(new AmbientState());

    private static final ArchRule NO_RANDOM = noClasses()
            .should().dependOnClassesThat(DescribedPredicate.describe(
                    "are sources of random numbers",
                    type -> type.isAssignableTo(RandomGenerator.class)));

    private final JavaClasses planner = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.lakesteward.planner");

    @DataProvider
    public static Object[][] rules()
    {
        return new Object[][] {
                {DEPENDENCIES, ImmutableSet.of(UsesTestNg.class)},
                {NO_IO, ImmutableSet.of(UsesFile.class)},
                {NO_AMBIENT_STATE, ImmutableSet.of(
                        UsesMillis.class,
                        UsesNow.class,
                        UsesClock.class,
                        UsesDate.class,
                        UsesMathRandom.class,
                        UsesRandomUuid.class,
                        UsesShuffle.class,
                        UsesEnvironment.class)},
                {NO_RANDOM, ImmutableSet.of(UsesRandom.class)},
        };
    }

    @Test(dataProvider = "rules")
    public void testPlannerKeepsRule(ArchRule rule, Set<Class<?>> offenders)
    {
        assertThat(planner).as("classes of the planner").hasSizeGreaterThan(10);
        rule.check(planner);
    }

    @Test(dataProvider = "rules")
    public void testRuleFindsOffender(ArchRule rule, Set<Class<?>> offenders)
    {
        for (Class<?> offender : offenders) {
            assertThat(rule.evaluate(new ClassFileImporter().importClasses(offender)).hasViolation())
                    .as("violation by %s", offender)
                    .isTrue();
        }
    }

    /**
     * Members of the JDK whose value depends on more than their arguments.
     */
    private static final class AmbientState
            extends DescribedPredicate<JavaAccess<?>>
    {
        private static final Set<String> MEMBERS = ImmutableSet.of(
                "java.lang.System.currentTimeMillis",
                "java.lang.System.nanoTime",
                "java.lang.System.getProperty",
                "java.lang.System.getenv",
                "java.lang.Math.random",
                "java.lang.StrictMath.random",
                "java.util.UUID.randomUUID",
                "java.util.Collections.shuffle",
                "java.util.Date.<init>",
                "java.util.Calendar.getInstance");

        private AmbientState()
        {
            super("is a clock, a source of random numbers or the environment");
        }

        @Override
        public boolean test(JavaAccess<?> access)
        {
            JavaClass owner = access.getTargetOwner();
            String member = access.getTarget().getName();
            return MEMBERS.contains(owner.getName() + "." + member)
                    || owner.isEquivalentTo(Clock.class)
                    || (owner.getPackageName().startsWith("java.time") && member.equals("now"));
        }
    }

    private static class UsesTestNg
    {
        Class<?> offend()
        {
            return Test.class;
        }
    }

    private static class UsesFile
    {
        Object offend()
        {
            return new File("file");
        }
    }

    private static class UsesMillis
    {
        long offend()
        {
            return System.currentTimeMillis();
        }
    }

    private static class UsesNow
    {
        Instant offend()
        {
            return Instant.now();
        }
    }

    private static class UsesClock
    {
        Clock offend()
        {
            return Clock.systemUTC();
        }
    }

    private static class UsesDate
    {
        Date offend()
        {
            return new Date();
        }
    }

    private static class UsesMathRandom
    {
        double offend()
        {
            return Math.random();
        }
    }

    private static class UsesRandomUuid
    {
        UUID offend()
        {
            return UUID.randomUUID();
        }
    }

    private static class UsesShuffle
    {
        void offend(List<String> list)
        {
            Collections.shuffle(list);
        }
    }

    private static class UsesEnvironment
    {
        String offend()
        {
            return System.getenv("HOME");
        }
    }

    private static class UsesRandom
    {
        Random offend()
        {
            return new Random(1);
        }
    }
}
