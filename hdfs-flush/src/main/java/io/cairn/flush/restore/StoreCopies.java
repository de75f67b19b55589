package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.Candidate;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store as a source of copies. It remembers the manifests that it read last, which never change,
 * so that a copy of a listed checkpoint is opened without another look at them. Thread-safe.
 */
public final class StoreCopies implements CopySource {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCopies.class);

  private final CheckpointStore store;
  private final Level level;

  /** The checkpoints of the last listing. */
  private volatile Map<CheckpointId, StoredCheckpoint> listed = Map.of();

  /**
   * Creates a source.
   *
   * @param level NODE or STORE
   */
  public StoreCopies(CheckpointStore store, Level level) {
    this.store = store;
    this.level = level;
  }

  @Override
  public Level level() {
    return level;
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
    Inventory.Listing listing = Inventory.list(store, member.group());
    listed = listing.checkpoints();
    Map<CheckpointId, Holding> holdings = new TreeMap<>();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      holdings.put(stored.id(), holding(stored, member.rank()));
    }
    for (Inventory.Problem problem : listing.problems()) {
      holdings.merge(problem.id(), holding(problem), Holding::withProblemOf);
    }
    listing
        .lost()
        .ifPresent(
            id -> {
              LOG.warn("{} was sealed in {}, and its manifest is gone", id, store.describe());
              holdings.putIfAbsent(id, Holding.lost("was sealed here, and its manifest is gone"));
            });
    return holdings;
  }

  private static Holding holding(Inventory.Problem problem) {
    if (problem.passing()) {
      return Holding.unread(problem.path() + ": " + problem.reason());
    }
    return problem
        .manifest()
        .map(
            manifest ->
                Holding.damaged(
                    manifest.size(),
                    new Candidate(
                        manifest.id(), ManifestCodec.digest(manifest), manifest.ancestry()),
                    problem.reason()))
        .orElseGet(() -> Holding.unusable(problem.reason()));
  }

  private static Holding holding(StoredCheckpoint stored, int rank) {
    Candidate candidate = new Candidate(stored.id(), stored.digestFor(rank), stored.ancestry());
    return Holding.of(stored.size(), candidate, !stored.containersOf(rank).isEmpty());
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
    StoredCheckpoint known = listed.get(id);
    if (known != null && !known.containersOf(rank).isEmpty()) {
      try {
        return Optional.of(open(known, rank));
      } catch (NoSuchFileException e) {
        LOG.debug("{} was deleted after it was listed", id, e);
      }
    }
    Optional<StoredCheckpoint> found = Inventory.find(store, id, rank);
    return found.isPresent() ? Optional.of(open(found.get(), rank)) : Optional.empty();
  }

  private Copy open(StoredCheckpoint stored, int rank) throws IOException {
    RankReader reader = RankReader.open(store, stored.id(), rank, stored.containersOf(rank));
    return new Copy(store.describe(), reader.images(), stored.fingerprintOf(rank), reader, reader);
  }
}
