package io.cairn.adjoint;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.core.threads.ThreadRules;

/**
 * The package edges of this module: schedules are pure, and histories know stores, and of the
 * engine its transport, with the names of processes that it leads to.
 */
@AnalyzeClasses(packages = "io.cairn.adjoint", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SCHEDULES_ARE_PURE =
      classes()
          .that()
          .resideInAPackage("io.cairn.adjoint.schedule")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.cairn.adjoint.schedule", "org.jspecify..");

  @ArchTest
  static final ArchRule HISTORIES_KNOW_ONE_TRANSPORT =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.adjoint.history")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.cairn.engine..", "io.cairn.flush..", "io.cairn.adjoint")
                  .and(
                      not(
                          resideInAnyPackage(
                              "io.cairn.flush.store",
                              "io.cairn.engine.net",
                              "io.cairn.engine.sharing.peer"))));

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.cairn.adjoint.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule ONE_FACTORY_MAKES_THREADS = ThreadRules.ONE_FACTORY_MAKES_THREADS;
}
