package io.cairn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The API sees the JDK alone, and its rules see nothing of it. */
@AnalyzeClasses(packages = "io.cairn", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule SEES_ONLY_THE_JDK =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.cairn", "io.cairn.internal", "org.jspecify..");

  @ArchTest
  static final ArchRule RULES_SEE_NO_TYPE_OF_THE_API =
      classes()
          .that()
          .resideInAPackage("io.cairn.internal")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.cairn.internal", "org.jspecify..");
}
