package io.cairn.engine.nodes;

import io.cairn.engine.config.PeerDomain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Finds the failure domain of this process. A file of hosts and a program have the forms that
 * Hadoop reads for its racks, so one of each serves both.
 */
final class FailureDomain {
  private static final int LONGEST = 256;
  private static final int LONGEST_OUTPUT = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private FailureDomain() {}

  /**
   * The domain of a process.
   *
   * @param host the name by which other processes reach it
   * @param node the machine and the node directory
   * @throws IOException if it is not known; names the file or program and the host. Waits at most
   *     10 s for a program
   */
  static String of(PeerDomain source, String host, String node) throws IOException {
    if (source instanceof PeerDomain.Listed listed) {
      return listed(listed.file(), host);
    } else if (source instanceof PeerDomain.Asked asked) {
      return asked(asked.program(), host, PATIENCE);
    }
    return source instanceof PeerDomain.Node ? node : host;
  }

  private static String listed(Path file, String host) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = BLANKS.split(line.strip(), -1);
        if (!words[0].startsWith("#") && words[0].equals(host)) {
          return checked(words.length == 2 ? words[1] : "", file, host);
        }
      }
    }
    throw new IOException(file + " has no line for host " + host);
  }

  /** The first line that a program prints for a host. */
  static String asked(Path program, String host, Duration patience) throws IOException {
    Process process =
        new ProcessBuilder(program.toString(), host)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    try {
      CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> text(process));
      String text = output.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException();
      } else if (process.exitValue() != 0) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s %s ended with %d: %s",
                program,
                host,
                process.exitValue(),
                shortened(text)));
      }
      return checked(text, program, host);
    } catch (TimeoutException e) {
      throw new IOException(program + " " + host + " does not end within " + patience, e);
    } catch (ExecutionException e) {
      throw new IOException("cannot read the output of " + program + " " + host, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + program + " " + host + " ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Process process) {
    try (InputStream output = process.getInputStream()) {
      return new String(output.readNBytes(LONGEST_OUTPUT), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String checked(String domain, Path source, String host) throws IOException {
    boolean printable = domain.chars().allMatch(each -> each > ' ' && each < 127);
    if (domain.isEmpty() || domain.length() > LONGEST || !printable) {
      throw new IOException(
          String.format(
                  Locale.ROOT,
                  "%s gives host %s the failure domain '%s': give one word of at most %d printable"
                      + " ASCII",
                  source,
                  host,
                  shortened(domain),
                  LONGEST)
              + " characters");
    }
    return domain;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
