package io.cairn.lab.soak;

import io.cairn.Level;
import java.util.Locale;

/**
 * One line of a group's log.
 *
 * @param rank that reports it, or that is killed
 * @param executor in which the rank trains, or {@link Executor#ALL}
 * @param iteration that it is about; -1 for none
 * @param level that it is about, or {@link #NONE}
 */
record SoakEvent(What what, int rank, Executor executor, long epoch, long iteration, String level) {
  static final String NONE = "none";

  /** The kinds of events. */
  enum What {
    /** An attempt begins, from the checkpoint that it restored. */
    START,
    /** After a bad step an attempt continues from the checkpoint that it restored. */
    AGAIN,
    /** A bad step follows the checkpoint; the level says whether that is sealed at DEVICE. */
    BAD_STEP,
    /** A checkpoint is sealed at a level below DEVICE. */
    SEALED,
    /** A checkpoint is at DEVICE no more. */
    WITHDRAWN,
    /** The restored bytes differ from the captured ones. */
    DAMAGED,
    /** The rank came to its end. */
    END,
    /** SIGKILL is sent. */
    KILL,
    /** SIGSTOP is sent, and later SIGCONT. */
    STOP,
    /** SIGPWR is sent: Spark decommissions the executor. */
    DECOMMISSION,
    /** The driver decommissions the executor, without a signal. */
    RETIRE,
    /** The machine is lost: all executors are killed, and what is at NODE is gone. */
    LOSE,
    /** Machines of several are lost at once, as many as PEER survives. */
    LOSE_SOME,
    /** Likewise, and one more. */
    LOSE_MORE;

    /** Whether the rank continues from a checkpoint. */
    boolean isEntry() {
      return this == START || this == AGAIN;
    }

    boolean isBlow() {
      return this == KILL || this == STOP || isDecommission() || survived() != Level.NODE;
    }

    /** The nearest level below DEVICE whose checkpoints survive it. */
    Level survived() {
      return switch (this) {
        case LOSE_SOME -> Level.PEER;
        case LOSE, LOSE_MORE -> Level.STORE;
        default -> Level.NODE;
      };
    }

    boolean isDecommission() {
      return this == DECOMMISSION || this == RETIRE;
    }
  }

  /**
   * An executor's process.
   *
   * @param id by which Spark knows it
   */
  record Executor(long pid, String id) {
    static final Executor ALL = new Executor(-1, "all");
  }

  /** A blow. */
  static SoakEvent blow(What what, int rank, Executor executor) {
    return new SoakEvent(what, rank, executor, 0, -1, NONE);
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%s %d %d %s %d %d %s",
        what,
        rank,
        executor.pid(),
        executor.id(),
        epoch,
        iteration,
        level);
  }

  static SoakEvent parse(String line) {
    String[] words = line.split(" ", -1);
    return new SoakEvent(
        What.valueOf(words[0]),
        Integer.parseInt(words[1]),
        new Executor(Long.parseLong(words[2]), words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        words[6]);
  }
}
