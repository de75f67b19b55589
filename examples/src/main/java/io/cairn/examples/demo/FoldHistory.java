package io.cairn.examples.demo;

import io.cairn.Level;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The measured history of one fold. Times are seconds since the start of the run.
 *
 * @param name the group
 * @param attempts one per epoch, by time
 * @param checkpoints that were sealed at NODE or STORE, by time
 * @param kills that hit it while it trained, by time
 * @param resumes by time
 */
public record FoldHistory(
    String name,
    List<Attempt> attempts,
    List<Checkpoint> checkpoints,
    List<Kill> kills,
    List<Resume> resumes) {

  /** The training of one epoch of the group; points rise in time and iteration. */
  public record Attempt(long epoch, List<Point> points) {
    /** Copies the list. */
    public Attempt {
      points = List.copyOf(points);
    }
  }

  /** An iteration was done. */
  public record Point(double seconds, long iteration) {}

  /** A checkpoint was sealed. */
  public record Checkpoint(double seconds, long iteration, Level level) {}

  /**
   * A SIGKILL.
   *
   * @param target what was killed, as people name it ("executor 0", "machine")
   * @param pid the process; of a machine, its driver
   * @param iteration that the fold had reached
   */
  public record Kill(double seconds, String target, long pid, long iteration) {}

  /** Training resumed from a checkpoint. */
  public record Resume(double seconds, Level level, long fromIteration) {}

  /** Copies the lists. */
  public FoldHistory {
    attempts = List.copyOf(attempts);
    checkpoints = List.copyOf(checkpoints);
    kills = List.copyOf(kills);
    resumes = List.copyOf(resumes);
  }

  /** The last moment that anything happened. */
  double endSeconds() {
    double end = 0;
    for (Attempt attempt : attempts) {
      for (Point point : attempt.points()) {
        end = Math.max(end, point.seconds());
      }
    }
    for (Checkpoint checkpoint : checkpoints) {
      end = Math.max(end, checkpoint.seconds());
    }
    for (Kill kill : kills) {
      end = Math.max(end, kill.seconds());
    }
    for (Resume resume : resumes) {
      end = Math.max(end, resume.seconds());
    }
    return end;
  }

  /** The attempt that a checkpoint is of: the last that had started when it was sealed. */
  Optional<Attempt> writer(Checkpoint checkpoint) {
    return attempts.stream()
        .filter(attempt -> !attempt.points().isEmpty())
        .filter(attempt -> attempt.points().get(0).seconds() <= checkpoint.seconds())
        .reduce((first, second) -> second);
  }

  /** The epochs of which there is a line or a checkpoint: one that computed nothing has none. */
  SortedSet<Long> shownEpochs() {
    SortedSet<Long> shown = new TreeSet<>();
    attempts.stream()
        .filter(attempt -> attempt.points().size() > 1)
        .forEach(attempt -> shown.add(attempt.epoch()));
    checkpoints.stream()
        .flatMap(checkpoint -> writer(checkpoint).stream())
        .forEach(attempt -> shown.add(attempt.epoch()));
    return shown;
  }

  /** The farthest iteration of any attempt. */
  long lastIteration() {
    return attempts.stream()
        .flatMap(attempt -> attempt.points().stream())
        .mapToLong(Point::iteration)
        .max()
        .orElse(0);
  }
}
