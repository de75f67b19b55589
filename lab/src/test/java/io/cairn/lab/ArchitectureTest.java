package io.cairn.lab;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cairn.engine.nodes.NodePeer;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.flush.restore.RestorePlanner;

/** The package edges of this module. */
@AnalyzeClasses(packages = "io.cairn.lab", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.cairn.lab.(**)").should().beFreeOfCycles();

  /** A study is at nobody's service but benchmarks'. */
  @ArchTest
  static final ArchRule STUDIES_LEAN_ON_NO_BENCHMARK =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.lab.study..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.cairn.lab.bench..");

  /** The simulator and the formulas check each other, so neither uses the other's code. */
  @ArchTest
  static final ArchRule SIMULATOR_SHARES_NO_CODE_WITH_THE_MODELS =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.lab.study.failure..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.cairn..")
                  .and(not(resideInAPackage("io.cairn.lab.study.failure.."))));

  @ArchTest
  static final ArchRule MODELS_USE_ONLY_MODELS =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.lab.study.pattern..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.cairn..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "io.cairn.lab.study.pattern..", "io.cairn.core.pattern.."))));

  /** The simulation of clusters takes the engine's wiring, with a time and threads of its own. */
  @ArchTest
  static final ArchRule CLUSTERS_ARE_WIRED_BY_THE_ENGINE =
      noClasses()
          .that()
          .resideInAPackage("io.cairn.lab.study.cluster..")
          .should()
          .dependOnClassesThat(
              assignableTo(LevelWriter.class)
                  .or(belongToAnyOf(Promotion.class, PromotionStep.class))
                  .or(belongToAnyOf(RestorePlanner.class, NodePeer.class))
                  .or(resideInAPackage("io.cairn.engine.session..")));
}
