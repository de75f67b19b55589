package io.cairn.engine.runtime;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Certificate;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.Lineage;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.core.session.StoredCheckpoints;
import io.cairn.flush.commit.Certificates;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One rank's checkpoints at STORE, read without its group. */
record StoredRank(Levels levels, Member member) implements StoredCheckpoints {
  @Override
  public List<Stored> checkpoints() {
    try {
      SortedMap<CheckpointId, StoredCheckpoint> listed =
          Inventory.list(levels.store(), member.group()).checkpoints();
      Map<CheckpointId, Ancestry> sealed = new TreeMap<>();
      listed.values().stream()
          .filter(StoredCheckpoint::coversGroup)
          .forEach(stored -> sealed.put(stored.id(), stored.ancestry()));
      List<Stored> alive = new ArrayList<>();
      for (CheckpointId id : Lineage.alive(sealed)) {
        StoredCheckpoint stored = listed.get(id);
        if (stored != null) {
          alive.add(stored(stored));
        }
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
        ContainerSummary.program(stored.containersOf(member.rank())),
        new Certificates(levels.store())
            .read(stored.id())
            .filter(certificate -> certificate.manifest().equals(stored.digest())));
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
    ProtectedRegions regions = new ProtectedRegions(levels.memory(), levels.config().chunkBytes());
    into.forEach(regions::protect);
    StagingBuffer staging = new StagingBuffer();
    Verification verification =
        new RestorePlanner(List.of(new StoreCopies(levels.store(), Level.STORE)))
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
