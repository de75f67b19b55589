package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest.Parent;

/**
 * A checkpoint of which a rank can read its part.
 *
 * @param id the checkpoint
 * @param digest of its manifest, or of the rank's part where each part has a manifest
 * @param ancestry of its epoch
 */
public record Candidate(CheckpointId id, Digest digest, Ancestry ancestry) {
  /** This checkpoint as the parent of a later one. */
  Parent asParent() {
    return new Parent(id, digest);
  }
}
