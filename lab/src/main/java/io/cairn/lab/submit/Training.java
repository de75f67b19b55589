package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyApplication;
import io.cairn.lab.toy.ToyEvent;
import io.cairn.lab.toy.ToyState;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.deploy.SparkSubmit;

/** The submitted application: what it reported, and its end. Confined to one thread. */
final class Training implements AutoCloseable {
  private static final int RANKS = 2;

  /** Of each rank. */
  static final long ITERATIONS = 1_000;

  private static final Duration END = Duration.ofMinutes(10);

  private final Path directory;
  private final Path log;
  private final ChildProcess submit;

  /**
   * Runs {@code spark-submit} with a training.
   *
   * @param directory is made; for the application's files
   * @param options of {@code spark-submit}
   */
  Training(SparkHome home, Path directory, List<String> options) throws IOException {
    this(home, directory, options, ToyApplication.class);
  }

  /**
   * Like the other constructor.
   *
   * @param application of the package that {@link SparkHome#application} holds
   */
  Training(SparkHome home, Path directory, List<String> options, Class<?> application)
      throws IOException {
    this.directory = Files.createDirectories(directory);
    log = directory.resolve("submit.log");
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("--class", application.getName()));
    arguments.add(home.application().toString());
    arguments.addAll(List.of(directory.toString(), "" + RANKS, "" + ITERATIONS));
    submit = home.run(SparkSubmit.class, arguments).withErrorsInOutput().outputTo(log).start();
  }

  /** Waits until a rank has sealed some checkpoints in an epoch above the given one. */
  ToyEvent awaitSealed(int rank, long aboveEpoch) throws IOException {
    return Poll.until(
        "seals of rank " + rank + " above epoch " + aboveEpoch + "; see " + directory,
        () -> {
          List<ToyEvent> sealed =
              ToyEvent.all(directory).stream()
                  .filter(e -> e.what().equals("sealed") && e.rank() == rank)
                  .filter(e -> e.epoch() > aboveEpoch)
                  .toList();
          requireNoFailure();
          requireNoEnd();
          return sealed.size() < 5 ? Optional.empty() : Optional.of(sealed.get(4));
        });
  }

  private void requireNoEnd() throws IOException {
    if (Files.exists(directory.resolve(ToyApplication.RESULT))) {
      throw new IOException("the training ended before a blow; see " + log);
    }
  }

  /** In cluster mode {@code spark-submit} ends early, and well. */
  private void requireNoFailure() throws IOException {
    try {
      if (!submit.isAlive() && submit.exitStatus() != 0) {
        throw new IOException("spark-submit ended with " + submit.exitStatus() + "; see " + log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in waiting for spark-submit", e);
    }
  }

  /** Waits for the digests, and compares them with those of an undisturbed training. */
  boolean endsAsUndisturbed() throws IOException {
    return endsAs(
        IntStream.range(0, RANKS)
            .mapToObj(rank -> rank + " " + ToyState.undisturbed(rank, ITERATIONS))
            .toList());
  }

  /** Waits for the result, and compares it. */
  boolean endsAs(List<String> expected) throws IOException {
    Path result = directory.resolve(ToyApplication.RESULT);
    List<String> lines =
        Poll.until(
            result + "; see " + log,
            () -> {
              requireNoFailure();
              return Files.exists(result)
                  ? Optional.of(Files.readAllLines(result))
                  : Optional.empty();
            });
    return lines.equals(expected);
  }

  /** The process of the driver. */
  long driver() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve("driver")));
  }

  /** The attempts of all ranks, in their order. */
  List<ToyEvent> starts() {
    return ToyEvent.all(directory).stream().filter(e -> e.what().equals("start")).toList();
  }

  /** Status of {@code spark-submit} at its end, after it has tried a master for a minute. */
  int exitStatus() throws IOException, InterruptedException {
    if (!submit.waitFor(END)) {
      throw new IOException("spark-submit did not end; see " + log);
    }
    return submit.exitStatus();
  }

  @Override
  public void close() {
    submit.close();
  }
}
