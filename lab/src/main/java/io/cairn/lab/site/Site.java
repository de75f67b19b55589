package io.cairn.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Writes pages as HTML, in the folders that they have in the project, so that links between them
 * and to pictures stay as they are. Nothing in a page is loaded from elsewhere.
 */
final class Site {
  private static final String STYLE =
      """
      body{max-width:60rem;margin:0 auto;padding:1rem;font:16px/1.5 sans-serif}
      nav{border-bottom:1px solid #ccc;padding-bottom:.5rem}
      pre,code{background:#f4f4f4;font-size:.9em}pre{padding:.6rem;overflow:auto}
      table{border-collapse:collapse;display:block;overflow:auto}
      td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}
      img{max-width:100%}
      """;

  private final Pages pages;
  private final Path out;

  /**
   * A site of these pages.
   *
   * @param out is made
   */
  Site(Pages pages, Path out) {
    this.pages = pages;
    this.out = out;
  }

  /** Writes all pages and the files that they link to; returns how many pages there are. */
  int write() throws IOException {
    for (MarkdownPage page : pages.byFile().values()) {
      copyLinked(page);
      Path html = html(page.file());
      Files.createDirectories(html.getParent());
      Files.writeString(html, render(page, html));
    }
    Path index = out.resolve("index.html");
    Files.copy(out.resolve("README.html"), index, StandardCopyOption.REPLACE_EXISTING);
    return pages.byFile().size();
  }

  private Path html(Path markdown) {
    String name = pages.root().relativize(markdown).toString();
    return out.resolve(name.substring(0, name.length() - "md".length()) + "html");
  }

  private void copyLinked(MarkdownPage page) throws IOException {
    for (String link : page.links()) {
      Path file = Pages.target(page, link);
      if (!Pages.isElsewhere(link) && Files.isRegularFile(file) && !isPage(file)) {
        Path copy = out.resolve(pages.root().relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private boolean isPage(Path file) {
    return pages.byFile().containsKey(file);
  }

  private String render(MarkdownPage page, Path html) {
    page.tree()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                String to = link.getDestination();
                if (!Pages.isElsewhere(to) && isPage(Pages.target(page, to))) {
                  link.setDestination(to.replaceFirst("\\.md(#|$)", ".html$1"));
                }
                visitChildren(link);
              }
            });
    HtmlRenderer renderer =
        HtmlRenderer.builder()
            .extensions(List.of(TablesExtension.create()))
            .attributeProviderFactory(
                context ->
                    (node, tag, attributes) -> {
                      if (node instanceof Heading heading) {
                        attributes.put("id", page.anchors().get(heading));
                      }
                    })
            .build();
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
        + escaped(page.title())
        + "</title>\n<style>\n"
        + STYLE
        + "</style></head>\n<body>\n"
        + navigation(html)
        + renderer.render(page.tree())
        + "</body></html>\n";
  }

  private String navigation(Path html) {
    String entries =
        pages.byFile().values().stream()
            .filter(page -> pages.root().relativize(page.file()).getNameCount() <= 2)
            .map(page -> entry(html, html(page.file()), page.title()))
            .collect(Collectors.joining(" · "));
    String javadoc = entry(html, out.resolve("javadoc/index.html"), "Javadoc");
    return "<nav>" + entries + " · " + javadoc + "</nav>\n";
  }

  private static String entry(Path from, Path to, String title) {
    Path folder = Objects.requireNonNull(from.getParent());
    return "<a href=\"" + folder.relativize(to) + "\">" + escaped(title) + "</a>";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
