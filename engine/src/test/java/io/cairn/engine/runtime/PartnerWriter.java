package io.cairn.engine.runtime;

import io.cairn.Level;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.OpenCopies;
import io.cairn.engine.promotion.Promoted;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A made-up PEER: another directory, in which each rank publishes its own part of a manifest. */
final class PartnerWriter implements LevelWriter {
  private static final int CHUNK_BYTES = 4096;

  private final CheckpointStore partner;
  private final ContainerWriter writer = new ContainerWriter(CHUNK_BYTES);
  private final ManifestCommit commit;

  /** Where each checkpoint was read from. */
  private final List<String> sources = new CopyOnWriteArrayList<>();

  PartnerWriter(CheckpointStore partner) {
    this.partner = partner;
    this.commit = new ManifestCommit(partner);
  }

  List<String> sources() {
    return new ArrayList<>(sources);
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return new StoreCopies(partner, Level.PEER);
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    ContainerSummary container;
    try (OpenCopies copies = nearest.open(1)) {
      Copy source = copies.first();
      sources.add(source.describe());
      container =
          writer.write(
              partner, checkpoint.member(), checkpoint.id(), source.images(), source.reader());
    }
    CheckpointManifest part =
        new CheckpointManifest(
            checkpoint.id(),
            checkpoint.member().size(),
            checkpoint.parent(),
            checkpoint.ancestry(),
            UUID.randomUUID().toString(),
            List.of(container));
    commit.commit(part, StoreNames.manifestPart(checkpoint.rank()));
    return List.of();
  }
}
