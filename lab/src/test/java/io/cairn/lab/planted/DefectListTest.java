package io.cairn.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefectListTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void everyDefectFitsTheSourcesAndNamesTestsThatExist() throws IOException {
    Sources sources = Sources.of(ROOT);

    for (Defect defect : DefectList.all()) {
      String source = Files.readString(sources.source(defect));
      assertThat(defect.occurrences(source))
          .as("places of '%s' in %s", defect.name(), defect.type())
          .isEqualTo(1);
      for (String test : defect.tests()) {
        assertThat(sources.moduleOfTest(test))
            .as("module of %s, as of the other tests of '%s'", test, defect.name())
            .isEqualTo(sources.moduleOfTest(defect.tests().get(0)));
        assertThat(Files.readString(sources.testSource(test)))
            .contains(test.contains("#") ? "void " + test.replaceFirst(".*#", "") + "(" : "@");
      }
    }
  }

  @Test
  void noListIsLeftOut() throws IOException {
    try (Stream<Path> lists = Files.list(Path.of("src/test/resources/planted"))) {
      assertThat(lists.map(list -> list.getFileName().toString().replace(".txt", "")))
          .containsExactlyInAnyOrderElementsOf(DefectList.AREAS);
    }
  }

  @Test
  void thereAreAHundredOfThem() throws IOException {
    assertThat(DefectList.all()).hasSizeGreaterThanOrEqualTo(100);
  }

  @Test
  void namesAreUnique() throws IOException {
    List<String> names = DefectList.all().stream().map(Defect::name).toList();

    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void aDefectIsPlantedOnceWhateverTheIndentation() {
    Defect defect = DefectList.parse("sample", sample("- if (a\n-     && b) {\n+ if (a) {")).get(0);

    String planted = defect.plantInto("  x();\n    if (a\n        && b) {\n  }");

    assertThat(planted).isEqualTo("x();\nif (a) {\n}");
  }

  @Test
  void aTextThatOccursTwiceIsRejected() {
    Defect defect = DefectList.parse("sample", sample("- a\n+ b")).get(0);

    assertThatThrownBy(() -> defect.plantInto("a a")).hasMessageContaining("occurs 2 times");
  }

  @Test
  void anUnknownLineIsRejectedWithItsNumber() {
    assertThatThrownBy(() -> DefectList.parse("sample", "[one]\nwho: nobody"))
        .hasMessageContaining("sample, line 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#aMethodWithParametersIsFound", ""})
  void aMethodWithParametersIsFound(String method) {
    String test = DefectListTest.class.getName() + method;

    assertThat(TestRun.selectors(test)).hasSize(1);
    assertThatThrownBy(() -> TestRun.selectors(DefectListTest.class.getName() + "#none"))
        .hasMessageContaining("#none");
  }

  private static String sample(String change) {
    return "[one]\nin: a.B\ncaught by: a.BTest\nharm: none\n" + change;
  }
}
