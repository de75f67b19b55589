package io.cairn.lab.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One entry of the class path that belongs into a kit.
 *
 * @param path a jar, or a directory of classes
 * @param name of the jar in the kit
 * @param content the files of it that the kit needs
 */
record KitLibrary(Path path, String name, Pattern content) {
  /** Modules of Cairn, by their directory or the name of their jar, and what the kit needs. */
  private static final List<String[]> MODULES =
      List.of(
          new String[] {"process", ".*"},
          new String[] {"api", ".*"},
          new String[] {"core-scheduler", ".*"},
          new String[] {"gpu-cache", ".*"},
          new String[] {"hdfs-flush", ".*"},
          new String[] {"engine", ".*"},
          new String[] {"cli", "io/cairn/cli/(Json|ExitCodes|LocalTree|package-info).*"},
          new String[] {"lab", "io/cairn/lab/(gpu/kit|measure)/.*"});

  /** Classes under test directories that the kit runs, by the module's directory. */
  private static final String SUITES = "io/cairn/(cache/(memory|capture)|lab/gpu/kit)/.*\\.class";

  private static final List<String> THIRD_PARTY =
      List.of(
          "jna",
          "slf4j-api",
          "log4j-slf4j2-impl",
          "log4j-api",
          "jackson-core",
          "jackson-databind",
          "jackson-annotations",
          "hash4j",
          "jspecify");

  /** Test libraries; without them the kit has no contract suites. */
  private static final List<String> TEST_LIBRARIES =
      List.of(
          "junit-platform-launcher",
          "junit-platform-engine",
          "junit-platform-commons",
          "junit-jupiter-api",
          "junit-jupiter-engine",
          "junit-jupiter-params",
          "opentest4j",
          "apiguardian-api",
          "assertj-core");

  private static final Pattern JAR = Pattern.compile("(.+?)(-[0-9][^/]*)?\\.jar");
  private static final Pattern CLASSES =
      Pattern.compile(".*?([a-z0-9-]+)/target/((?:test-)?classes)/?");

  /** The part of an entry of the class path that the kit takes; empty for nothing. */
  static Optional<KitLibrary> of(Path entry) {
    Matcher classes = CLASSES.matcher(entry.toString());
    if (classes.matches() && Files.isDirectory(entry)) {
      return ofModule(entry, classes.group(1), classes.group(2).startsWith("test"));
    }
    Path file = entry.getFileName();
    Matcher jar = JAR.matcher(file == null ? "" : file.toString());
    if (!jar.matches() || !Files.isRegularFile(entry)) {
      return Optional.empty();
    }
    String artifact = jar.group(1);
    if (THIRD_PARTY.contains(artifact) || TEST_LIBRARIES.contains(artifact)) {
      return Optional.of(new KitLibrary(entry, artifact, Pattern.compile(".*")));
    }
    return artifact.startsWith("cairn-")
        ? ofModule(entry, artifact.substring("cairn-".length()), isOfTests(entry))
        : Optional.empty();
  }

  /** A jar of a module's tests differs from that of its classes by its end alone. */
  private static boolean isOfTests(Path jar) {
    return jar.toString().endsWith("-tests.jar");
  }

  private static Optional<KitLibrary> ofModule(Path entry, String module, boolean tests) {
    if (tests) {
      return module.equals("gpu-cache") || module.equals("lab")
          ? Optional.of(new KitLibrary(entry, module + "-tests", Pattern.compile(SUITES)))
          : Optional.empty();
    }
    return MODULES.stream()
        .filter(one -> one[0].equals(module))
        .map(one -> new KitLibrary(entry, "cairn-" + module, Pattern.compile(one[1])))
        .findFirst();
  }

  /**
   * Checks that a kit has every library without which it does not start.
   *
   * @throws IOException naming those that are missing
   */
  static void requireAll(Path lib) throws IOException {
    List<String> missing = new ArrayList<>();
    Stream.concat(MODULES.stream().map(one -> "cairn-" + one[0]), THIRD_PARTY.stream())
        .filter(name -> !Files.exists(lib.resolve(name + ".jar")))
        .forEach(missing::add);
    if (!missing.isEmpty()) {
      throw new IOException(
          "the class path lacks " + String.join(", ", missing) + "; start bin/cairn-lab gpu-kit");
    }
  }

  /** Writes the jar of the kit; throws {@link UncheckedIOException}. */
  void writeTo(Path lib) {
    Path target = lib.resolve(name + ".jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(target))) {
      if (Files.isDirectory(path)) {
        copy(path, jar);
      } else {
        try (FileSystem files = FileSystems.newFileSystem(path)) {
          copy(files.getPath("/"), jar);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be packed", e);
    }
  }

  private void copy(Path root, JarOutputStream jar) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      String entry = root.relativize(file).toString();
      if (content.matcher(entry).matches()) {
        jar.putNextEntry(new JarEntry(entry));
        Files.copy(file, jar);
        jar.closeEntry();
      }
    }
  }
}
