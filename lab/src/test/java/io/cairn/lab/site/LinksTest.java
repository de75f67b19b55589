package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links of pages, and the site that is made of them. */
class LinksTest {
  @TempDir Path directory;

  @Test
  void everyLinkOfThisProjectLeadsToAFileAndAHeading() throws IOException {
    Pages pages = Pages.read(Path.of(".."));

    assertThat(pages.byFile()).hasSizeGreaterThan(20);
    assertThat(pages.brokenLinks()).isEmpty();
  }

  @Test
  void brokenLinksAreNamed() throws IOException {
    Files.createDirectories(directory.resolve("docs"));
    Files.writeString(directory.resolve("README.md"), "# A `b`\n\n## Two, of\n\n## Two, of\n");
    Files.writeString(
        directory.resolve("docs/PAGE.md"),
        "[1](../README.md#a-b) [2](../README.md#two-of-1) [3](https://example.org/x)"
            + " [4](../README.md#two-of-2) [5](gone.md) ![6](gone.png) [7](../../outside.md)");

    assertThat(Pages.read(directory).brokenLinks())
        .containsExactly(
            "docs/PAGE.md links to ../README.md#two-of-2",
            "docs/PAGE.md links to gone.md",
            "docs/PAGE.md links to gone.png",
            "docs/PAGE.md links to ../../outside.md");
  }

  @Test
  void theSiteHasThePagesWithTheirPicturesAndAnchors() throws IOException {
    Files.createDirectories(directory.resolve("docs/images"));
    Files.writeString(directory.resolve("docs/images/a.svg"), "<svg/>");
    Files.writeString(directory.resolve("README.md"), "# Top\n\n[page](docs/PAGE.md#more-of-it)\n");
    Files.writeString(
        directory.resolve("docs/PAGE.md"), "# Page\n\n## More of it\n\n![a](images/a.svg)\n");

    Path out = directory.resolve("site");
    new Site(Pages.read(directory), out).write();

    assertThat(out.resolve("index.html"))
        .content()
        .contains("href=\"docs/PAGE.html#more-of-it\"", "<h1 id=\"top\">Top</h1>");
    assertThat(out.resolve("docs/PAGE.html"))
        .content()
        .contains("<h2 id=\"more-of-it\">", "href=\"../README.html\"", "src=\"images/a.svg\"");
    assertThat(out.resolve("docs/images/a.svg")).exists();
  }
}
