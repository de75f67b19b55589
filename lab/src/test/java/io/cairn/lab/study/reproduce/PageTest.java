package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that could break out of a file's syntax. */
class PageTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void fieldsWithCommasAndQuotesAreQuoted() throws IOException {
    DataTable table = new DataTable("odd", "caption", "a|A", "b|B");
    table.row(Cell.text("{1,3} \"x\""), Cell.number(0.1));
    Csv.write(directory, table);
    assertThat(Files.readString(directory.resolve("odd.csv")))
        .isEqualTo("a,b\n\"{1,3} \"\"x\"\"\",0.1\n");
    assertThat(CsvTable.read(directory.resolve("odd.csv")).get(0).text("a"))
        .isEqualTo("{1,3} \"x\"");
  }

  @Test
  void markupInTextIsEscaped() {
    assertThat(new HtmlPage().element("td", "class=\"n\"", "a < b & \"c\"").toString())
        .isEqualTo("<td class=\"n\">a &lt; b &amp; &quot;c&quot;</td>\n");
  }

  @Test
  void verdictsTellAMisprintFromADifference() {
    Note misprint = new Note("x", Note.Kind.MISPRINT, "a", "swapped");
    Comparison agrees = new Comparison("b", "1", 1, 1, Agreement.AGREES, null);
    Comparison printed = new Comparison("a", "1", 1, 2, Agreement.DIFFERS, misprint);
    Comparison differs = new Comparison("c", "1", 1, 2, Agreement.DIFFERS, null);
    assertThat(verdict(agrees)).isEqualTo("reproduces");
    assertThat(verdict(agrees, printed)).isEqualTo("reproduces but for a misprint");
    assertThat(verdict(agrees, printed, differs)).isEqualTo("reproduces in part");
    assertThat(verdict(differs)).isEqualTo("does not reproduce");
    assertThat(verdict()).isEqualTo("nothing printed to compare");
  }

  private static String verdict(Comparison... comparisons) {
    return new Finding("x", "X", "", "", List.of(), List.of(), List.of(comparisons), List.of())
        .verdict();
  }
}
