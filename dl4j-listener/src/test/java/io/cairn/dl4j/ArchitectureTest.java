package io.cairn.dl4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/** Permitted dependencies of this module: DL4J, and the API that applications call. */
@AnalyzeClasses(packages = "io.cairn.dl4j", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SEES_DL4J_AND_THE_PORT =
      classes()
          .that()
          .resideOutsideOfPackage("io.cairn.dl4j.averaging")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.cairn.dl4j..",
              "io.cairn",
              "io.cairn.training",
              "org.deeplearning4j..",
              "org.nd4j..",
              "org.bytedeco.javacpp..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule SEES_NO_ENGINE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.cairn.engine..",
              "io.cairn.cache..",
              "io.cairn.flush..",
              "io.cairn.core.(model|layout|protocol|cadence|goodput|sharing|wire|peer|flow)..");

  @ArchTest
  static final ArchRule NOTHING_NEEDS_AVERAGING =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.cairn.dl4j.averaging")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.cairn.dl4j.averaging", "org.apache.spark..", "org.deeplearning4j.spark..");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("io.cairn.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
