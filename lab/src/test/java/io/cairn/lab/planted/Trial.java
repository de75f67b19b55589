package io.cairn.lab.planted;

import io.cairn.lab.planted.Finding.Verdict;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a process of their own, over the built classes, over one that is compiled anew with
 * a defect, or over kernels with a defect. Changes no file of the repository. Not thread-safe.
 *
 * @param scratch an empty directory
 * @param limit for the tests of one trial
 * @param nanoTime the clock, as {@link System#nanoTime}
 */
record Trial(Sources sources, Path scratch, Duration limit, LongSupplier nanoTime) {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** A source in memory. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String type, String text) {
      super(URI.create("memory:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Runs the tests of a defect over the source with the defect. */
  Finding of(Defect defect) throws IOException, InterruptedException {
    long begin = nanoTime.getAsLong();
    Path classes = Files.createDirectories(scratch.resolve(defect.name()));
    boolean kernel = defect.isInKernel();
    Optional<String> error =
        kernel ? KernelCopy.write(sources, defect, classes) : compile(defect, classes);
    Finding found =
        error.isPresent()
            ? new Finding(defect.name(), Verdict.UNCOMPILED, error.get(), 0)
            : kernel
                ? run(
                    defect.name(), defect.tests(), "", List.of("-Dcairn.kernels=" + classes), limit)
                : run(
                    defect.name(), defect.tests(), classes + File.pathSeparator, List.of(), limit);
    return new Finding(
        defect.name(), found.verdict(), found.detail(), (nanoTime.getAsLong() - begin) / 1e9);
  }

  /** Runs tests of one module over the classes as they are built. */
  Finding unchanged(List<String> tests) throws IOException, InterruptedException {
    return run("unchanged", tests, "", List.of(), limit.multipliedBy(tests.size()));
  }

  private Optional<String> compile(Defect defect, Path classes) throws IOException {
    String source = Files.readString(sources.source(defect));
    JavaFileObject changed = new Text(defect.type(), defect.plantInto(source));
    List<String> options =
        List.of(
            "-d",
            classes.toString(),
            "-cp",
            sources.classPath(sources.moduleOf(defect.type())),
            "-parameters",
            "-proc:none",
            "-nowarn");
    StringWriter errors = new StringWriter();
    boolean compiled = COMPILER.getTask(errors, null, null, options, null, List.of(changed)).call();
    return compiled ? Optional.empty() : Optional.of(errors.toString());
  }

  private Finding run(
      String name, List<String> tests, String first, List<String> options, Duration patience)
      throws IOException, InterruptedException {
    Path module = sources.moduleOfTest(tests.get(0));
    Path temporary = Files.createDirectories(scratch.resolve(name + "-tmp"));
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    words.addAll(List.of("-Djava.awt.headless=true", "-Djava.io.tmpdir=" + temporary));
    words.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split(" +", -1)));
    words.addAll(
        List.of(
            "-cp",
            first
                + String.join(
                    File.pathSeparator,
                    sources.classPath(module),
                    home(LauncherFactory.class),
                    home(TestRun.class))));
    words.addAll(options);
    words.add(TestRun.class.getName());
    words.addAll(tests);
    Command command =
        Command.of(words.toArray(String[]::new))
            .directory(module)
            .environment("OMP_NUM_THREADS", "1")
            .withErrorsInOutput();
    try (ChildProcess process = command.start()) {
      return result(name, process, patience);
    }
  }

  /** The directory or archive that a class of this process came from. */
  private static String home(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  private Finding result(String name, ChildProcess process, Duration patience)
      throws InterruptedException {
    long end = nanoTime.getAsLong() + patience.toNanos();
    String last = "";
    while (true) {
      Optional<String> line = process.line(Duration.ofNanos(end - nanoTime.getAsLong()));
      if (line.isEmpty()) {
        return process.outputEnded()
            ? new Finding(name, Verdict.CRASHED, "after the line: " + last, 0)
            : new Finding(name, Verdict.HUNG, "for " + patience.toSeconds() + " s", 0);
      } else if (line.get().startsWith(TestRun.FAILED)) {
        return new Finding(name, Verdict.CAUGHT, line.get().substring(TestRun.FAILED.length()), 0);
      } else if (line.get().startsWith(TestRun.GREEN)) {
        return new Finding(name, Verdict.SURVIVED, line.get().substring(TestRun.GREEN.length()), 0);
      }
      last = line.get();
    }
  }
}
