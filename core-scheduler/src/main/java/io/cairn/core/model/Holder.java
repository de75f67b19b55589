package io.cairn.core.model;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.internal.PathSegment;
import java.util.Locale;

/**
 * A container of an older checkpoint of the same group, which physically holds chunks of a newer
 * one. The length and the digest identify it.
 *
 * @param epoch of the older checkpoint
 * @param iteration of the older checkpoint
 * @param file name within that checkpoint's directory
 * @param bytes length of the file
 * @param indexDigest digest of its index
 */
public record Holder(long epoch, long iteration, String file, long bytes, Digest indexDigest) {
  /** Checks the name, the numbers and the length. */
  public Holder {
    PathSegment.require("holder", file);
    boolean legal = epoch >= 1 && epoch <= CheckpointId.MAX_EPOCH;
    if (!legal || iteration < 0 || iteration > CheckpointId.MAX_NUMBER || bytes < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "holder %s of %d bytes in epoch %d, iteration %d",
              file,
              bytes,
              epoch,
              iteration));
    }
  }

  /** A container as a holder. */
  public static Holder of(CheckpointId id, ContainerSummary container) {
    return new Holder(
        id.epoch(), id.iteration(), container.file(), container.bytes(), container.indexDigest());
  }

  /** The checkpoint in whose directory the file is. */
  public CheckpointId in(GroupId group) {
    return new CheckpointId(group, epoch, iteration);
  }
}
