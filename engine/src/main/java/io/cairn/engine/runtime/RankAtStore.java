package io.cairn.engine.runtime;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.StoredCheckpoints;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Certificates;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One rank's checkpoints at STORE, read without its group. */
record RankAtStore(Levels levels, Member member) implements StoredCheckpoints {
  private static final Logger LOG = LoggerFactory.getLogger(RankAtStore.class);

  @Override
  public List<Stored> checkpoints() {
    try {
      List<Stored> alive = new ArrayList<>();
      for (StoredCheckpoint each :
          Inventory.list(levels.store(), member.group()).alive(StoredCheckpoint::coversGroup)) {
        alive.add(stored(each));
      }
      return alive;
    } catch (IOException e) {
      throw failed("STORE cannot be listed", e);
    }
  }

  private Stored stored(StoredCheckpoint stored) throws IOException {
    return new Stored(
        stored.id(),
        stored.digest(),
        ContainerSummary.program(stored.containersOf(member.rank())).entries(),
        certificate(stored.id())
            .filter(certificate -> certificate.manifest().equals(stored.digest())));
  }

  /** A damaged certificate certifies nothing, and the next replay replaces it. */
  private Optional<Certificate> certificate(CheckpointId id) throws IOException {
    try {
      return new Certificates(levels.store()).read(id);
    } catch (FormatException e) {
      LOG.warn("{} counts as not certified", id, e);
      return Optional.empty();
    }
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
    ProtectedRegions regions = new ProtectedRegions(levels.memory(), levels.config().chunkBytes());
    into.forEach(regions::protect);
    StagingBuffer staging = new StagingBuffer();
    Verification verification =
        new RestorePlanner(List.of(new StoreCopies(levels.store(), LevelSpec.committed())))
            .verify(id, member, staging);
    if (verification instanceof VerifiedCopy copy) {
      return Optional.of(read(copy, regions, staging));
    } else if (verification instanceof Verification.Refused refused) {
      if (refused.attempts().isEmpty()) {
        return Optional.empty();
      }
      throw new RestoreException(
          "%s cannot load %s: %s. Tried: %s"
              .formatted(member, id, refused.reason(), refused.attempts()));
    }
    throw new IllegalStateException("no verification ends as " + verification);
  }

  private RestoreReport read(
      VerifiedCopy verified, ProtectedRegions regions, StagingBuffer staging) {
    try (VerifiedCopy copy = verified) {
      long bytes =
          regions.load(
              copy.images(),
              copy.program(),
              copy.readers(),
              staging.forChunksOf(copy.images()),
              copy.id().toString());
      return new RestoreReport(copy.id(), copy.level(), copy.source(), bytes, copy.attempts());
    } catch (IOException e) {
      throw failed(verified.id() + " went bad while it was loaded", e);
    }
  }

  @Override
  public boolean certify(Certificate certificate) {
    try {
      return new Certificates(levels.store()).write(certificate);
    } catch (IOException e) {
      throw failed(certificate.id() + " cannot be certified", e);
    }
  }

  private RestoreException failed(String what, IOException cause) {
    RestoreException failure =
        new RestoreException(member + ": " + what + ": " + cause.getMessage());
    failure.initCause(cause);
    return failure;
  }
}
