package io.cairn.lab.submit;

import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.launcher.JavaModuleOptions;
import scala.util.Properties;

/**
 * A directory laid out as a Spark distribution, of links to the jars of this process's class path.
 * Nothing of Cairn, its dependencies, or DL4J is among them, so a job has to bring these.
 *
 * @param directory holds {@code jars}, {@code conf} and {@code toy.jar}
 */
record SparkHome(Path directory) {
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "cairn-.*|hash4j-.*|deeplearning4j-.*|nd4j-.*|datavec-.*|javacpp-.*|openblas-.*|jna-.*");

  /** For the temporary files of all its processes. */
  private static final String TEMPORARY = "tmp";

  /**
   * Makes the directory.
   *
   * @param more jars that the distribution has, too
   * @throws IOException if it cannot be written
   */
  static SparkHome create(Path directory, List<Path> more) throws IOException {
    Files.createDirectories(directory.resolve(TEMPORARY));
    Path jars = Files.createDirectories(directory.resolve("jars"));
    List<Path> all = new ArrayList<>(more);
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      all.add(Path.of(entry));
    }
    for (Path jar : all) {
      String name = jar.getFileName().toString();
      if (name.endsWith(".jar") && !LEFT_OUT.matcher(name).matches()) {
        Files.createSymbolicLink(jars.resolve(name), jar.toAbsolutePath());
      }
    }
    SparkHome home = new SparkHome(directory);
    ToyJar.write(home.application());
    return home;
  }

  /** The jar to submit. */
  Path application() {
    return directory.resolve("toy.jar");
  }

  /** For settings; on the class path of every command. */
  Path configuration() {
    return directory.resolve("conf");
  }

  /** Writes the defaults that master, workers and {@code spark-submit} read. */
  void configure(Map<String, String> defaults) throws IOException {
    write(configuration().resolve("spark-defaults.conf"), defaults);
  }

  /** Writes a file of settings; it keeps secrets off command lines. */
  static Path write(Path file, Map<String, String> settings) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(
        file, settings.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
  }

  /** A command line that runs a class of Spark with the environment of a distribution. */
  Command run(Class<?> main, List<String> arguments) {
    return run(configuration().toString(), main, arguments);
  }

  /** The same, with another first part of the class path than the settings. */
  Command run(String first, Class<?> main, List<String> arguments) {
    List<String> words = words(first, main);
    words.addAll(arguments);
    Command command = Command.of(words.toArray(String[]::new)).directory(directory);
    environment().forEach(command::environment);
    return command;
  }

  private List<String> words(String first, Class<?> main) {
    String classPath = first + ":" + directory.resolve("jars") + "/*";
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    words.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
    words.addAll(List.of("-Djava.io.tmpdir=" + directory.resolve(TEMPORARY)));
    words.addAll(List.of("-cp", classPath, main.getName()));
    return words;
  }

  private Map<String, String> environment() {
    return new TreeMap<>(
        Map.of(
            "SPARK_HOME", directory.toString(),
            "SPARK_SCALA_VERSION", scalaVersion(),
            "HADOOP_CONF_DIR", configuration().toString(),
            "JAVA_HOME", System.getProperty("java.home"),
            "SPARK_LOCAL_IP", "127.0.0.1",
            "OMP_NUM_THREADS", "1"));
  }

  /**
   * Writes {@code spark-submit}, a script that runs a class of Spark with its arguments, in the
   * directory that it is called from.
   *
   * @throws IOException if it cannot be written, or made executable
   */
  Path writeScript(Class<?> main) throws IOException {
    List<String> lines = new ArrayList<>(List.of("#!/bin/sh"));
    environment().forEach((name, value) -> lines.add("export " + name + "=" + quoted(value)));
    String words =
        words(configuration().toString(), main).stream()
            .map(SparkHome::quoted)
            .collect(Collectors.joining(" "));
    lines.add("exec " + words + " \"$@\"");
    Path script = Files.write(directory.resolve("spark-submit"), lines);
    if (!script.toFile().setExecutable(true)) {
      throw new IOException(script + " cannot be made executable");
    }
    return script;
  }

  /** For a shell, in which only the end of a quotation is special within it. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Such as 2.12; scripts of a distribution know theirs. */
  static String scalaVersion() {
    String full = Properties.versionNumberString();
    return full.substring(0, full.lastIndexOf('.'));
  }
}
