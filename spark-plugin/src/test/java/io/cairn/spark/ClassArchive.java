package io.cairn.spark;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * An archive of the classes that executors load from jars: with it their JVMs start with two thirds
 * of the work. The first test process that starts one makes it meanwhile, by a training; JVMs that
 * start before it is there do without. Thread-safe.
 */
final class ClassArchive {
  /** Of this process, the jars first: an archive is of jars, with which the class path begins. */
  static final String CLASS_PATH = join(Stream.concat(entries(true), entries(false)));

  private static final String JARS = join(entries(true));
  private static final Path DIRECTORY = Path.of("target", "class-archive").toAbsolutePath();
  private static final Path ARCHIVE = DIRECTORY.resolve("executors.jsa");
  private static final List<String> OPTIONS =
      List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds=off");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private ClassArchive() {}

  /** Apart, since the training has the class path, and no archive. */
  private static final class Making {
    static final CompletableFuture<Void> DONE = CompletableFuture.runAsync(ClassArchive::make);
  }

  /** Options of a JVM with {@link #CLASS_PATH}. */
  static List<String> options() {
    return Making.DONE.isCompletedExceptionally() ? List.of() : OPTIONS;
  }

  /** Waits until it is made; returns whether JVMs with the options use it. */
  static boolean used() throws Exception {
    Making.DONE.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return fits();
  }

  private static Command command() {
    return Command.of(Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  private static Stream<String> entries(boolean jars) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> entry.endsWith(".jar") == jars);
  }

  private static String join(Stream<String> entries) {
    return String.join(File.pathSeparator, entries.toList());
  }

  private static void make() {
    try {
      Files.createDirectories(DIRECTORY);
      try (FileChannel one =
          FileChannel.open(
              DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        if (one.lock().isValid() && !fits()) {
          train();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whether it is there and of these jars as they are now. */
  private static boolean fits() throws IOException, InterruptedException {
    return run(OPTIONS, List.of("-Xshare:on", "-cp", CLASS_PATH, "--version")) == 0;
  }

  private static void train() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(DIRECTORY, "training");
    try {
      train(home);
    } finally {
      boolean unused = FileUtil.fullyDelete(home.toFile());
    }
  }

  private static void train(Path home) throws IOException, InterruptedException {
    Path classes = home.resolve("classes");
    List<String> opened = List.of(JavaModuleOptions.defaultModuleOptions().split(" ", -1));
    List<String> training =
        List.of(
            "-XX:DumpLoadedClassList=" + classes,
            "-cp",
            CLASS_PATH,
            ArchivedTraining.class.getName(),
            home.toString());
    Path unfinished = home.resolve("unfinished");
    List<String> dump =
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + classes,
            "-XX:SharedArchiveFile=" + unfinished,
            "-cp",
            JARS);
    if (run(opened, training) != 0 || run(List.of(), dump) != 0) {
      throw new IOException("no class archive was made; see " + DIRECTORY.resolve("log"));
    }
    Files.move(unfinished, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
  }

  private static int run(List<String> options, List<String> more)
      throws IOException, InterruptedException {
    Path log = DIRECTORY.resolve("log");
    try (ChildProcess process =
        command()
            .small(1024)
            .options(options)
            .options(more)
            .withErrorsInOutput()
            .outputTo(log)
            .start()) {
      return process.waitFor(PATIENCE) ? process.exitStatus() : -1;
    }
  }
}
