package io.cairn.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/** The packages that this module may use: the engine and below, Spark, and Spark's libraries. */
@AnalyzeClasses(packages = "io.cairn.spark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SEES_THE_ENGINE_AND_SPARK =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "scala..",
              "io.cairn",
              "io.cairn.internal",
              "io.cairn.core..",
              "io.cairn.engine..",
              "io.cairn.flush..",
              "io.cairn.spark..",
              "org.apache.spark..",
              "org.apache.hadoop..",
              "com.codahale.metrics..",
              "com.fasterxml.jackson..",
              "javax.servlet..",
              "jakarta.servlet..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule DRIVER_AND_EXECUTOR_MEET_IN_MESSAGES_ALONE =
      slices().matching("io.cairn.spark.(driver|executor)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule THE_PAGE_KNOWS_NEITHER_SPARK_NOR_THE_ENGINE =
      classes()
          .that()
          .resideInAnyPackage("io.cairn.spark.ui.model..", "io.cairn.spark.ui.page..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.cairn",
              "io.cairn.internal",
              "io.cairn.core..",
              "io.cairn.spark.ui.model..",
              "io.cairn.spark.ui.page..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("io.cairn.(**)").should().beFreeOfCycles();

  /** It is internal to Spark, and its Netty may have two loaders. */
  @ArchTest
  static final ArchRule NOBODY_KNOWS_SPARKS_NETWORK_LAYER =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "org.apache.spark.network..");

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
