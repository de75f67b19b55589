package io.cairn.cache;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/** The packages that this module's packages may use. */
@AnalyzeClasses(packages = "io.cairn.cache", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SEES_THE_CORE_AND_LITTLE_ELSE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.cairn",
              "io.cairn.internal",
              "io.cairn.core..",
              "io.cairn.cache..",
              "org.slf4j..",
              "org.bytedeco.javacpp..",
              "com.sun.jna..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule ONE_CLASS_MENTIONS_JAVACPP =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.JavaCppMemory(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.bytedeco..");

  @ArchTest
  static final ArchRule ONE_PACKAGE_SEES_JNA =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.cairn.cache.memory.cuda..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.sun.jna..");

  @ArchTest
  static final ArchRule MEMORY_KNOWS_NEITHER_CACHE_NOR_CAPTURE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.cache.memory..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.cairn.cache.chunk..", "io.cairn.cache.capture..");

  @ArchTest
  static final ArchRule THE_CACHE_KNOWS_NEITHER_CAPTURE_NOR_A_DEVICE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.cache.chunk..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.cairn.cache.capture..", "io.cairn.cache.memory.*..");

  @ArchTest
  static final ArchRule CAPTURE_KNOWS_NO_DEVICE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.cache.capture..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.cairn.cache.memory.*..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.cairn.cache.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
