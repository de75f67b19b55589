package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store as a source of copies. It remembers the manifests of its last listing, which never
 * change, so that a copy of a listed checkpoint is opened without another look at them. A survey
 * takes the place of the listing. Thread-safe.
 */
public final class StoreCopies implements CopySource {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCopies.class);

  /** Checksums and copies keep a processor busy; more streams than these rarely bring more. */
  public static final int LANES = Math.min(4, Runtime.getRuntime().availableProcessors());

  private final CheckpointStore store;
  private final Level level;
  private final Optional<RankSurvey> survey;
  private final boolean born;

  /** The last listing, for its rank. */
  private volatile Listed listed = new Listed(0, Map.of());

  /** The checkpoint whose manifests were read last for all ranks. */
  private volatile @Nullable StoredCheckpoint whole;

  private record Listed(int rank, Map<CheckpointId, RankHolding> holdings) {}

  /**
   * Creates a source that lists the store.
   *
   * @param level NODE or STORE
   */
  public StoreCopies(CheckpointStore store, Level level) {
    this(store, level, Optional.empty(), false);
  }

  private StoreCopies(
      CheckpointStore store, Level level, Optional<RankSurvey> survey, boolean born) {
    this.store = store;
    this.level = level;
    this.survey = survey;
    this.born = born;
  }

  /**
   * STORE of groups that were born there. While it shows no birth, it fails and lacks nothing.
   *
   * @param survey of the rank that will ask; without one the store is listed
   */
  public static StoreCopies ofBorn(CheckpointStore store, Optional<RankSurvey> survey) {
    return new StoreCopies(store, Level.STORE, survey, true);
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
  public int lanes() {
    return LANES;
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
    Map<CheckpointId, RankHolding> known = new TreeMap<>();
    Map<CheckpointId, Holding> holdings = new TreeMap<>();
    for (RankHolding each : list(member)) {
      known.put(each.id(), each);
      holdings.put(each.id(), Holding.of(each, each.problem()));
      if (each.proof() == Proof.HEARSAY) {
        LOG.warn("{}: {} {}", store.describe(), each.id(), each.problem());
      }
    }
    listed = new Listed(member.rank(), known);
    return holdings;
  }

  private List<RankHolding> list(Member member) throws IOException {
    if (survey.isEmpty()) {
      return born
          ? ListedHoldings.of(Inventory.listBorn(store, member.group()), member.rank())
          : ListedHoldings.of(store, member.group(), member.rank());
    } else if (!survey.get().isOf(member.group())) {
      throw new IOException("the coordinator's survey is not of " + member.group());
    }
    return survey.get().holdings();
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
    List<ContainerSummary> known = known(id, rank);
    if (!known.isEmpty()) {
      try {
        return Optional.of(open(id, rank, known));
      } catch (NoSuchFileException e) {
        LOG.debug("{} was deleted after it was listed", id, e);
      }
    }
    Optional<StoredCheckpoint> found = find(id, rank);
    return found.isPresent()
        ? Optional.of(open(id, rank, found.get().containersOf(rank)))
        : Optional.empty();
  }

  private Optional<StoredCheckpoint> find(CheckpointId id, int rank) throws IOException {
    Optional<StoredCheckpoint> found = Inventory.find(store, id, rank);
    if (found.isEmpty() && born) {
      Inventory.requireBorn(store, id.group());
    }
    return found;
  }

  /** The containers that a listing or a manifest of all ranks has shown; none if neither has. */
  private List<ContainerSummary> known(CheckpointId id, int rank) {
    Listed last = listed;
    RankHolding holding = last.rank() == rank ? last.holdings().get(id) : null;
    StoredCheckpoint read = whole;
    if (holding != null) {
      return holding.containers();
    }
    return read != null && read.id().equals(id) ? read.containersOf(rank) : List.of();
  }

  @Override
  public Map<Integer, Fingerprint> programs(CheckpointId id) throws IOException {
    Map<Integer, Fingerprint> programs = new TreeMap<>();
    // without rank 0 the others do not suffice
    Optional<StoredCheckpoint> found = find(id, 0);
    for (CheckpointManifest part : found.map(StoredCheckpoint::parts).orElse(List.of())) {
      part.ranks().forEach(rank -> programs.put(rank, part.fingerprintOf(rank)));
    }
    whole = found.orElse(null);
    return programs;
  }

  private Copy open(CheckpointId id, int rank, List<ContainerSummary> containers)
      throws IOException {
    RankReader reader = RankReader.open(store, id, rank, containers);
    Fingerprint program = ContainerSummary.program(containers);
    return new Copy(store.describe(), reader.images(), program, reader, reader);
  }
}
