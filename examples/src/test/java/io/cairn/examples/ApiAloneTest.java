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
  @ArchTest
  static final ArchRule SEES_THE_API_ALONE =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.cairn..")
                  .and(
                      resideOutsideOfPackages(
                          "io.cairn",
                          "io.cairn.adjoint..",
                          "io.cairn.dl4j..",
                          "io.cairn.spark",
                          "io.cairn.spark.hosts",
                          "io.cairn.spark.standby",
                          "io.cairn.training",
                          "io.cairn.cli..",
                          "io.cairn.process..",
                          "io.cairn.examples..")));
}
