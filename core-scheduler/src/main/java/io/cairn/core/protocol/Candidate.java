package io.cairn.core.protocol;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.Digest;

/**
 * A checkpoint that a rank can read its part of.
 *
 * @param id the checkpoint
 * @param digest of its manifest; if its parts have one each, of the rank's own
 * @param ancestry of its epoch
 */
public record Candidate(CheckpointId id, Digest digest, Ancestry ancestry) {
  /** How a checkpoint that goes on from this one names it. */
  Parent asParent() {
    return new Parent(id, digest);
  }
}
