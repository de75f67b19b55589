package io.cairn.lab.prove;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.StoredCheckpoints;
import java.util.List;
import java.util.Optional;

/**
 * A store that shows two of its checkpoints, so that a replay begins at the one and ends at the
 * other. It keeps no certificate.
 */
record TwoCheckpoints(StoredCheckpoints stored, long from, long target)
    implements StoredCheckpoints {
  @Override
  public Member member() {
    return stored.member();
  }

  @Override
  public List<Stored> checkpoints() {
    return stored.checkpoints().stream()
        .filter(one -> one.id().iteration() == from || one.id().iteration() == target)
        .toList();
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
    return stored.load(id, into);
  }

  @Override
  public boolean certify(Certificate certificate) {
    return true;
  }
}
