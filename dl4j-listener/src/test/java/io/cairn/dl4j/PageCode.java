package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Code that a page for users shows and that a test runs: both have the same lines. */
final class PageCode {
  private static final Path TESTS = Path.of("src/test/java/io/cairn/dl4j");
  private static final Path ROOT = Path.of("..");

  private PageCode() {}

  /** Requires that a page has the lines between the comments {@code page: begin} and its end. */
  static void requireOn(String page, Class<?> test) throws IOException {
    List<String> lines = Files.readAllLines(TESTS.resolve(test.getSimpleName() + ".java"));
    int begin = index(lines, page + ": begin");
    List<String> code = lines.subList(begin + 1, index(lines, page + ": end"));
    assertThat(code).as("lines for %s", page).isNotEmpty();
    assertThat(stripped(Files.readAllLines(ROOT.resolve(page)))).contains(stripped(code));
  }

  private static int index(List<String> lines, String mark) {
    List<String> bare = lines.stream().map(String::strip).toList();
    assertThat(bare).contains("// " + mark);
    return bare.indexOf("// " + mark);
  }

  private static String stripped(List<String> lines) {
    return lines.stream().map(String::strip).collect(Collectors.joining("\n"));
  }
}
