package io.cairn.engine.promotion;

import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import java.util.List;
import java.util.Optional;

/**
 * Receives what becomes of one rank's checkpoint at each level, and reports it to the group's
 * coordinator. Returns at once. Thread-safe.
 */
public interface RankReporter {
  /**
   * The level holds this rank's data.
   *
   * @param containers what the coordinator's manifest must name; none at a level where each rank
   *     publishes a manifest of its own
   */
  void held(Level level, List<ContainerSummary> containers);

  /**
   * This rank's data will not reach the level.
   *
   * @param reason for people
   */
  void gaveUp(Level level, Why why, String reason);

  /**
   * This rank's data was not written to the level, since the level was settled before.
   *
   * @return whether the group asked for it {@link #again} meanwhile, so that it has to be written
   */
  boolean leftOut(Level level);

  /** Its training or process ends with the checkpoint: no full stage rejects it from now on. */
  void makeLast();

  /** Whether {@link #makeLast} was called. */
  boolean isLast();

  /**
   * The group tries once more to bring its last checkpoint to a level, if it gave that up. Reports
   * what this rank holds there.
   *
   * @return whether this rank's data was left out or failed there, and is to be sent now
   */
  boolean again(Level level);

  /**
   * Whether the group asked for it {@link #again} while this rank wrote it, or before; then it is
   * false until the next order. A write that fails after orders is tried once more for all of them.
   */
  boolean askedMeanwhile(Level level);

  /**
   * Notes that a write of it begins at a level.
   *
   * @return whether one had begun before, also of a first capture that this one replaces
   */
  boolean writesAgain(Level level);

  /**
   * The reason why nothing of its epoch may be written below DEVICE now; empty if it may. STORE has
   * not taken the claim of the epoch then, so another attempt may have its number.
   */
  Optional<String> unclaimed();

  /** A later epoch of the group exists: this attempt is over. */
  void fenced(String reason);

  /** Whether the level is settled, for instance because another rank gave it up. */
  boolean isSettled(Level level);

  /**
   * Whether the level is settled by the coordinator's word, so that no rank's data counts there any
   * more. The end of this rank alone is no such word.
   */
  boolean isGivenUp(Level level);
}
