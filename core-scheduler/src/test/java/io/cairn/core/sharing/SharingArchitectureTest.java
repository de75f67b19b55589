package io.cairn.core.sharing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What decides about leases and plans does no I/O, starts no thread and reads no clock. */
@AnalyzeClasses(
    packages = "io.cairn.core.sharing",
    importOptions = ImportOption.DoNotIncludeTests.class)
class SharingArchitectureTest {
  @ArchTest
  static final ArchRule DECIDES_ONLY =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.net..",
              "java.nio.file..",
              "java.nio.channels..",
              "java.util.concurrent..",
              "java.util.random..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(
              Thread.class,
              ThreadLocal.class,
              Runtime.class,
              Process.class,
              System.class,
              java.io.File.class,
              java.util.Random.class,
              java.util.Timer.class,
              java.util.Date.class,
              java.time.Clock.class,
              java.time.Instant.class);

  @ArchTest
  static final ArchRule KNOWS_NO_OTHER_PROTOCOL =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.cairn.core.protocol..", "io.cairn.core.cadence..");
}
