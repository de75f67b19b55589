package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.Command;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A program of a page for users, perhaps adapted to a test.
 *
 * @param name of its class
 */
record PageProgram(String name, String source) {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Never closed: it keeps the many jars of the class path open for the next program. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  /** The only program of a page that has this part. */
  static PageProgram of(String page, String name, String part) throws IOException {
    List<String> found =
        MarkdownPage.read(Path.of(page)).code("java").stream()
            .filter(code -> code.contains(part))
            .toList();
    assertThat(found).as("programs of %s with %s", page, part).hasSize(1);
    return new PageProgram(name, found.get(0));
  }

  /** The same with another text in place of one that it has once. */
  PageProgram with(String part, String other) {
    assertThat(source).containsOnlyOnce(part);
    return new PageProgram(name, source.replace(part, other));
  }

  /** The same with all its levels in a directory. */
  PageProgram storing(Path root) {
    return with(
        "\"/data/cairn\"",
        "\"%s\", \"node.dir\", \"%s\", \"device.dir\", \"%s\""
            .formatted(root.resolve("store"), root.resolve("node"), root.resolve("device")));
  }

  /** Compiles it to a directory, which may have programs that it calls. */
  void compile(Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".java"), source);
    assertThat(errors(directory, List.of(file))).isEmpty();
  }

  /** Compiles to a directory, which may have classes that it needs; the errors, or nothing. */
  static String errors(Path directory, List<Path> sources) {
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", classPath(directory), "-d", directory.toString());
    StringWriter errors = new StringWriter();
    var units = FILES.getJavaFileObjectsFromPaths(sources);
    boolean compiled = COMPILER.getTask(errors, FILES, null, options, null, units).call();
    return compiled ? "" : "errors:\n" + errors;
  }

  private static String classPath(Path directory) {
    return directory + System.getProperty("path.separator") + CLASS_PATH;
  }

  /** A JVM with these options that runs it, compiled to a directory. */
  Command java(Path directory, int heapMebibytes, List<String> options) {
    return Command.of(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        .small(heapMebibytes)
        .options(options)
        .options("-cp", classPath(directory), name);
  }
}
