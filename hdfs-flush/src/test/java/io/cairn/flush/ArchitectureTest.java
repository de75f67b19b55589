package io.cairn.flush;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/** The package edges of this module, as the architecture page draws them. */
@AnalyzeClasses(packages = "io.cairn.flush", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule SEES_THE_CORE_AND_OPTIONAL_LIBRARIES_ONLY =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.cairn",
              "io.cairn.internal",
              "io.cairn.core..",
              "io.cairn.flush..",
              "com.dynatrace.hash4j..",
              "com.github.luben.zstd..",
              "net.jpountz.lz4..",
              "org.apache.hadoop..",
              "org.jspecify..",
              "org.slf4j..");

  @ArchTest
  static final ArchRule HADOOP_STAYS_BEHIND_THE_STORE_AND_ONE_CODE =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.cairn.flush.store..", "io.cairn.flush.redundancy..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule LIBRARIES_OF_CODECS_STAY_BEHIND_THEM =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.cairn.flush.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.github.luben.zstd..", "net.jpountz.lz4..");

  @ArchTest
  static final ArchRule STORE_KNOWS_NOTHING_OF_WHAT_IT_HOLDS =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.flush.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.cairn.flush.format..",
              "io.cairn.flush.codec..",
              "io.cairn.flush.commit..",
              "io.cairn.flush.redundancy..",
              "io.cairn.flush.restore..",
              "io.cairn.flush.pipeline..");

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices().matching("io.cairn.flush.(*)..").should().beFreeOfCycles();

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
