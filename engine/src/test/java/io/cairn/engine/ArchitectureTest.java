package io.cairn.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/** This module depends on the three below it and not on Hadoop, since it runs without. */
@AnalyzeClasses(packages = "io.cairn.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SEES_THE_MODULES_BELOW_AND_LITTLE_ELSE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.crypto..",
              "com.sun.management..",
              "io.cairn",
              "io.cairn.internal",
              "io.cairn.core..",
              "io.cairn.cache..",
              "io.cairn.flush..",
              "io.cairn.engine..",
              "org.apache.commons.text..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule ONLY_THE_RUNTIME_CHOOSES_A_DEVICE_AND_A_STORE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.engine.session..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.cairn.cache.memory.*..", "io.cairn.flush.store..");

  @ArchTest
  static final ArchRule ONE_FACTORY_NAMES_A_KIND_OF_DEVICE =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.cairn.engine.runtime.Devices")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.cairn.cache.memory.*..");

  @ArchTest
  static final ArchRule PROMOTION_KNOWS_NO_SESSION =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.engine.promotion..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.cairn.engine.session..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.cairn.engine.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
