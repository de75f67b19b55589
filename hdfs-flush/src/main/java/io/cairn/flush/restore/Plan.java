package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.protocol.Candidate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The candidates for a restore, according to the manifests.
 *
 * @param choices checkpoints that count, fit the group and have this rank's data, newest first
 * @param otherSize checkpoints that count but were written by another number of ranks, newest
 *     first; a rank whose regions have layouts may take its part of them. Otherwise callers refuse
 *     the newest, since restoring an older one would lose work silently
 * @param refused checkpoints that do not count, with the reason
 * @param damaged the refused checkpoints with a bad manifest or bad data at some level
 * @param unreachable sources and manifests that could not be read now, with the reason; while there
 *     are any, an empty plan proves nothing
 * @param unread checkpoints on the line of the choices that STORE may hold whole, cannot show now,
 *     and that no other source has
 */
public record Plan(
    List<Choice> choices,
    List<Choice> otherSize,
    List<Attempt> refused,
    List<CheckpointId> damaged,
    List<Unreachable> unreachable,
    List<CheckpointId> unread) {
  /**
   * A source or a manifest that could not be read.
   *
   * @param checkpoint of the manifest; empty if the source answers nothing
   * @param mayBeNewest whether it may hide a newer checkpoint than all choices; otherwise another
   *     rank may still need it
   */
  public record Unreachable(
      Level level, Optional<CheckpointId> checkpoint, String reason, boolean mayBeNewest) {
    /** Whether it may hide a newer checkpoint at STORE, where nothing is lost with a node. */
    boolean hidesTheNewest() {
      return level == Level.STORE && mayBeNewest;
    }

    @Override
    public String toString() {
      return level + " " + reason;
    }
  }

  /**
   * One checkpoint.
   *
   * @param candidate the offer of the rank to its group
   * @param size ranks of the group that wrote it
   * @param levels levels that hold this rank's data, nearest first; of another size, any data
   */
  public record Choice(Candidate candidate, int size, List<Level> levels) {
    /** Copies the list. */
    public Choice {
      levels = List.copyOf(levels);
    }

    /** The checkpoint. */
    public CheckpointId id() {
      return candidate.id();
    }
  }

  /**
   * The reason why a restore that has waited long enough fails; empty if it takes the choices. A
   * STORE that answers nothing may have a newer checkpoint. One whose newest manifest alone stays
   * unreadable has lost it, as far as can be seen.
   *
   * @param older whether a restore may pass over a manifest that stays unreadable
   */
  public Optional<String> refusal(boolean older) {
    List<Unreachable> hiding = unreachable.stream().filter(Unreachable::hidesTheNewest).toList();
    boolean passed = older && hiding.stream().allMatch(each -> each.checkpoint().isPresent());
    if (hiding.isEmpty() || (passed && !(choices.isEmpty() && otherSize.isEmpty()))) {
      return Optional.empty();
    }
    String rest =
        passed
            ? ". No older one is there. If it is lost for good, start afresh: name another group or"
                + " job, or set resume (on Spark spark.cairn.resume) to never"
            : older || hiding.stream().anyMatch(each -> each.checkpoint().isEmpty())
                ? ""
                : ". If it is lost for good, delete it with cairn prune --discard, or set"
                    + " store.unreadable (on Spark spark.cairn.store.unreadable) to older";
    return Optional.of("it is unknown whether a newer checkpoint exists: " + hiding + rest);
  }

  /** The manifests at STORE that a restore passes over, newest first. */
  public List<CheckpointId> passedOver() {
    return unreachable.stream()
        .filter(Unreachable::hidesTheNewest)
        .flatMap(each -> each.checkpoint().stream())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Copies all lists. */
  public Plan {
    choices = List.copyOf(choices);
    otherSize = List.copyOf(otherSize);
    refused = List.copyOf(refused);
    damaged = List.copyOf(damaged);
    unreachable = List.copyOf(unreachable);
    unread = List.copyOf(unread);
  }
}
