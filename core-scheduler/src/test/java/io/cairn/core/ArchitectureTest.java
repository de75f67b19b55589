package io.cairn.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The package edges of this module, as the architecture page draws them. */
@AnalyzeClasses(packages = "io.cairn.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** The streams that encode messages. */
  private static final Class<?>[] STREAMS_IN_MEMORY = {
    ByteArrayInputStream.class,
    ByteArrayOutputStream.class,
    DataInputStream.class,
    DataOutputStream.class,
    InputStream.class,
    OutputStream.class,
    EOFException.class,
    IOException.class,
    UncheckedIOException.class
  };

  @ArchTest
  static final ArchRule SEES_ONLY_THE_JDK =
      classes()
          .that()
          .resideOutsideOfPackage("io.cairn.core.threads..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "io.cairn", "io.cairn.internal", "io.cairn.core..", "org.jspecify..");

  @ArchTest
  static final ArchRule THE_THREADS_LOG_TOO =
      classes()
          .that()
          .resideInAPackage("io.cairn.core.threads..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.cairn.core.threads..", "org.slf4j..", "org.jspecify..");

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;

  @ArchTest
  static final ArchRule MODEL_DEPENDS_ON_NO_OTHER_PACKAGE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.core.model..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.cairn..")
                  .and(
                      resideOutsideOfPackages(
                          "io.cairn", "io.cairn.internal", "io.cairn.core.model..")));

  @ArchTest
  static final ArchRule PROTOCOL_DOES_NO_IO_AND_STARTS_NO_THREAD =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.core.protocol..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("java.io..").and(not(belongToAnyOf(STREAMS_IN_MEMORY))))
          .orShould()
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
              java.util.Random.class,
              java.util.Timer.class);

  @ArchTest
  static final ArchRule PROTOCOL_HAS_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.core.protocol..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              java.time.Clock.class, java.time.Instant.class, java.util.Date.class, System.class);

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.cairn.core.(*)..").should().beFreeOfCycles();
}
