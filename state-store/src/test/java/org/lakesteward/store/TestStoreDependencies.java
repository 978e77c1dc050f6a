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
package org.lakesteward.store;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.testng.annotations.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The store knows the planner's records and its back ends, and nothing of Trino: both plugins and tools can use it.
 * The module's pom forbids Trino's artifacts besides.
 */
public class TestStoreDependencies
{
    private static final ArchRule NO_TRINO = noClasses()
            .should().dependOnClassesThat().resideInAnyPackage("io.trino..");

    private static final ArchRule ETCD_IN_ONE_PACKAGE = classes()
            .that().resideOutsideOfPackage("org.lakesteward.store.etcd..")
            .should().onlyDependOnClassesThat().resideOutsideOfPackages("io.grpc..", "io.netty..", "io.vertx..");

    private final JavaClasses store = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.lakesteward.store");

    @Test
    public void testNoTrino()
    {
        assertThat(store).hasSizeGreaterThan(5);
        NO_TRINO.check(store);
    }

    @Test
    public void testEtcdInOnePackage()
    {
        ETCD_IN_ONE_PACKAGE.check(store);
    }
}
