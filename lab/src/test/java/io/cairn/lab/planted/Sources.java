package io.cairn.lab.planted;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The modules of the repository: sources, built classes and class paths. Immutable.
 *
 * @param root of the repository
 * @param modules directories that hold sources
 */
record Sources(Path root, List<Path> modules) {
  /** The modules below a directory. */
  static Sources of(Path root) throws IOException {
    try (Stream<Path> children = Files.list(root)) {
      return new Sources(
          root,
          children.filter(child -> Files.isDirectory(child.resolve("src"))).sorted().toList());
    }
  }

  /** The source of a defect: that of a class in production, or a kernel's. */
  Path source(Defect defect) throws IOException {
    String type = defect.type();
    return defect.isInKernel()
        ? root.resolve(type)
        : moduleOf("main", type).resolve(path("main", type));
  }

  /** The module with a test class, or with a method of one. */
  Path moduleOfTest(String test) throws IOException {
    return moduleOf("test", type(test));
  }

  /** The source of a test class, or of a method of one. */
  Path testSource(String test) throws IOException {
    return moduleOfTest(test).resolve(path("test", type(test)));
  }

  private static String type(String test) {
    return test.replaceFirst("#.*", "");
  }

  /** The module with a class in production. */
  Path moduleOf(String type) throws IOException {
    return moduleOf("main", type);
  }

  private Path moduleOf(String scope, String type) throws IOException {
    return modules.stream()
        .filter(module -> Files.exists(module.resolve(path(scope, type))))
        .findFirst()
        .orElseThrow(() -> new IOException("no module has " + type + " in src/" + scope));
  }

  private static String path(String scope, String type) {
    return "src/" + scope + "/java/" + type.replace('.', '/') + ".java";
  }

  /**
   * The class path that a module's tests run with, as {@code .ci/planted} lets Maven write it.
   *
   * @throws IOException if the module is not built
   */
  String classPath(Path module) throws IOException {
    Path target = module.resolve("target");
    return String.join(
        File.pathSeparator,
        target.resolve("test-classes").toString(),
        target.resolve("classes").toString(),
        Files.readString(target.resolve("test.classpath")).strip());
  }
}
