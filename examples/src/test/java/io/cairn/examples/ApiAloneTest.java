package io.cairn.examples;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Examples are programs of users, so they and their tests see the API alone. Besides, they are
 * commands that print ({@code io.cairn.cli}), and start processes ({@code io.cairn.process}).
 */
@AnalyzeClasses(packages = "io.cairn.examples")
class ApiAloneTest {
  private static final String[] API = {
    "io.cairn",
    "io.cairn.adjoint..",
    "io.cairn.dl4j..",
    "io.cairn.spark",
    "io.cairn.spark.hosts",
    "io.cairn.spark.standby",
    "io.cairn.training",
    "io.cairn.cli..",
    "io.cairn.process..",
    "io.cairn.examples.."
  };

  @ArchTest
  static final ArchRule SEES_THE_API_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.cairn.examples.elastic")
          .should()
          .dependOnClassesThat(resideInAPackage("io.cairn..").and(resideOutsideOfPackages(API)));

  /** Cairn has no collectives, and no second protocol over sockets. */
  @ArchTest
  static final ArchRule ONE_EXAMPLE_EXCHANGES_OVER_THE_TRANSPORT =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.examples.elastic")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.cairn..")
                  .and(resideOutsideOfPackages(API))
                  .and(
                      resideOutsideOfPackages(
                          "io.cairn.core.codec", "io.cairn.core.peer", "io.cairn.engine.net")));
}
