package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.dl4j.CairnTraining;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Two processes: one trains all cases into the middle of an epoch and is killed there, the other
 * resumes them. Stateless.
 */
final class KilledTrainings {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int HEAP_MEBIBYTES = 768;
  private static final String TRAIN = "train";
  private static final String RESUME = "resume";
  private static final String CASE = "case ";
  private static final String REACHED = "all reached";

  private KilledTrainings() {}

  /**
   * Trains, kills and resumes.
   *
   * @param directory of the checkpoints
   * @param each called for each case, when it has ended
   * @return how each case ended
   * @throws IOException if a process ends otherwise
   */
  static Map<ProofCase, ProofTraining.Resumed> run(
      Path directory, List<ProofCase> cases, Runnable each)
      throws IOException, InterruptedException {
    try (ChildProcess trains = start(TRAIN, directory, cases)) {
      trains.await(REACHED, PATIENCE);
      trains.kill();
    }
    Map<ProofCase, ProofTraining.Resumed> ended = new HashMap<>();
    try (ChildProcess resumes = start(RESUME, directory, cases)) {
      for (int k = 0; k < cases.size(); k++) {
        String[] words = resumes.await(CASE, PATIENCE).split(" ", 3);
        ended.put(
            ProofCase.of(words[0]),
            new ProofTraining.Resumed(Long.parseLong(words[1]), new Digest(words[2])));
        each.run();
      }
    }
    return ended;
  }

  private static ChildProcess start(String part, Path directory, List<ProofCase> cases)
      throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(part, directory));
    arguments.addAll(cases);
    return Command.java(KilledTrainings.class, arguments.toArray()).small(HEAP_MEBIBYTES).start();
  }

  /** Arguments: the part, the directory, the cases. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[1]);
    List<ProofTraining> trainings = new ArrayList<>();
    for (String name : List.of(arguments).subList(2, arguments.length)) {
      trainings.add(ProofTraining.of(ProofCase.of(name)));
    }
    try (Cairn cairn = ProofStore.open(directory)) {
      if (arguments[0].equals(TRAIN)) {
        train(cairn, trainings);
      } else {
        trainings.forEach(training -> report(training, training.resumed(cairn)));
      }
    }
  }

  private static void report(ProofTraining training, ProofTraining.Resumed resumed) {
    System.out.println(CASE + training.one() + " " + resumed.from() + " " + resumed.digest());
  }

  /** Each training waits in the middle of its iteration for the kill, on a thread of its own. */
  private static void train(Cairn cairn, List<ProofTraining> trainings)
      throws InterruptedException {
    for (ProofTraining training : trainings) {
      CountDownLatch reached = new CountDownLatch(1);
      Thread trainer =
          new Thread(
              () ->
                  training.untilMiddle(
                      cairn,
                      run -> {
                        awaitSealed(run, training.iterationsBeforeEnd());
                        reached.countDown();
                        awaitKill();
                      }),
              training.one().toString());
      trainer.setDaemon(true);
      trainer.setUncaughtExceptionHandler(KilledTrainings::end);
      trainer.start();
      reached.await();
    }
    System.out.println(REACHED);
    awaitKill();
  }

  private static void end(Thread trainer, Throwable failure) {
    System.err.println(trainer.getName());
    failure.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  /** A checkpoint at NODE is what the other process can find. */
  private static void awaitSealed(CairnTraining run, int iterations) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (Objects.requireNonNull(run.statistics().sealed().get(Level.NODE)) == 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("NODE has nothing after " + iterations + " iterations");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void awaitKill() {
    while (true) {
      LockSupport.park();
    }
  }
}
