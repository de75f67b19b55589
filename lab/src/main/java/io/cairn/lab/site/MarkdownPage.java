package io.cairn.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/**
 * A page in Markdown. Immutable, but for its tree, which a renderer may change.
 *
 * @param file that it was read from
 * @param tree of the whole page
 * @param anchors of its headings, as GitHub names them, in their order
 * @param links destinations of its links and images
 */
record MarkdownPage(Path file, Node tree, Map<Heading, String> anchors, List<String> links) {
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  /** Reads a page; O(length). */
  static MarkdownPage read(Path file) throws IOException {
    Node tree = PARSER.parse(Files.readString(file));
    Map<Heading, String> anchors = new LinkedHashMap<>();
    List<String> links = new ArrayList<>();
    tree.accept(new Collector(anchors, links));
    return new MarkdownPage(file, tree, anchors, links);
  }

  /** The text of its first heading, or the file's name. */
  String title() {
    return anchors.keySet().stream()
        .findFirst()
        .map(MarkdownPage::text)
        .orElse(file.getFileName().toString());
  }

  /** The code of the blocks of a language, in their order. */
  List<String> code(String language) {
    List<String> blocks = new ArrayList<>();
    tree.accept(
        new AbstractVisitor() {
          @Override
          public void visit(FencedCodeBlock block) {
            if (language.equals(block.getInfo())) {
              blocks.add(block.getLiteral());
            }
          }
        });
    return blocks;
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(Code part) {
            text.append(part.getLiteral());
          }
        });
    return text.toString();
  }

  private static final class Collector extends AbstractVisitor {
    private final Map<Heading, String> anchors;
    private final List<String> links;
    private final Map<String, Integer> used = new HashMap<>();

    Collector(Map<Heading, String> anchors, List<String> links) {
      this.anchors = anchors;
      this.links = links;
    }

    @Override
    public void visit(Heading heading) {
      String slug =
          text(heading)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int earlier = used.merge(slug, 1, Integer::sum) - 1;
      anchors.put(heading, earlier == 0 ? slug : slug + "-" + earlier);
      visitChildren(heading);
    }

    @Override
    public void visit(Link link) {
      links.add(link.getDestination());
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      links.add(image.getDestination());
      visitChildren(image);
    }
  }
}
