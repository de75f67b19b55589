package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.RankHolding;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.redundancy.ParityHeader;
import io.cairn.flush.redundancy.RebuiltRank;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of one rank that are computed from the parities of its set and from the data of its other
 * ranks, wherever these lie now. Which checkpoints have parities is known from the nodes' listings
 * of PEER, so this source lists none itself. Thread-safe.
 *
 * @param level of the parities; the data is at the level that it reads from
 * @param node the root of NODE of this process
 * @param birth of the rank's group
 * @param patience a node that has given no answer for so long is lost with its files
 * @param readBytes receives the bytes that were read at other nodes
 */
record RebuiltCopies(
    Level level,
    Asking asking,
    OtherNodes others,
    CheckpointStore node,
    Member member,
    NodeCopies.Birth birth,
    Duration patience,
    LongConsumer readBytes)
    implements CopySource {
  private static final Logger LOG = LoggerFactory.getLogger(RebuiltCopies.class);

  /** Files of one checkpoint that lie at one node. */
  private record Place(ReadableStore store, List<ContainerSummary> files) {}

  /** The places of a rank's files, and what may be at nodes that gave no answer. */
  private record Places(List<Place> known, OtherNodes.Survey survey) {}

  @Override
  public String describe() {
    return "the parities of the nodes";
  }

  @Override
  public boolean ofAllRanks() {
    return false;
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member asked) {
    return Map.of();
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
    if (rank != member.rank()) {
      throw new IllegalArgumentException("nodes were asked for " + member + ", not rank " + rank);
    }
    String of = birth.find();
    Places places = places(level, id, of, rank);
    List<Place> parities =
        places.known().stream()
            .filter(place -> StoreNames.isParity(place.files().get(0).file()))
            .toList();
    if (!parities.isEmpty()) {
      return Optional.of(open(id, of, parities, places.survey()));
    }
    Optional<IOException> unknown = places.survey().unknown(node -> true, patience);
    if (unknown.isPresent()) {
      throw unknown.get();
    }
    return Optional.empty();
  }

  private Copy open(CheckpointId id, String of, List<Place> parities, OtherNodes.Survey survey)
      throws IOException {
    SetPieces pieces = SetPieces.of(member.rank());
    try {
      for (Place place : parities) {
        pieces.addParity(place.store(), id, place.files().get(0));
      }
      if (!pieces.hasHeader()) { // the parity of another node may be whole
        survey.unknown(node -> true, patience).ifPresent(pieces::unread);
      }
      ParityHeader header = pieces.requireHeader();
      survey.unknown(header.holders()::contains, patience).ifPresent(pieces::unread);
      for (int index = 0; index < header.members().size(); index++) {
        ParityHeader.Member other = header.members().get(index);
        if (other.rank() != member.rank()) {
          addData(pieces, index, other, of);
        }
      }
      return copy(id, pieces);
    } catch (IOException | RuntimeException e) {
      pieces.closeAfter(e);
      throw e;
    }
  }

  /** The data of another rank, from the first node that has it as the parities' header says. */
  private void addData(SetPieces pieces, int index, ParityHeader.Member other, String of)
      throws IOException {
    Level source = LevelSpec.of(level).readsFrom();
    Places places = places(source, other.part().id(), of, other.rank());
    for (Place place : places.known()) {
      if (place.files().equals(other.part().containers())) {
        if (pieces.addData(index, other.part(), place.store())) {
          return;
        }
      }
    }
    places.survey().unknown(other.node()::equals, patience).ifPresent(pieces::unread);
  }

  private Copy copy(CheckpointId id, SetPieces pieces) throws IOException {
    RebuiltRank rebuilt = pieces.rebuild();
    RebuiltChunks chunks = RebuiltChunks.open(rebuilt, id, member.rank());
    return new Copy(
        rebuilt.describe(),
        chunks.images(),
        ContainerSummary.program(rebuilt.containers()),
        chunks,
        chunks);
  }

  /** The nodes with files of a rank's checkpoint, this one first. */
  private Places places(Level at, CheckpointId id, String of, int rank) throws IOException {
    List<Place> places = new ArrayList<>();
    here(at, id, of, rank).ifPresent(places::add);
    Member asked = new Member(member.group(), rank, member.size());
    OtherNodes.Survey survey = others.survey(at, asked, of);
    for (OtherNodes.Found found : survey.found()) {
      for (RankHolding holding : found.holdings()) {
        if (holding.id().equals(id) && !holding.containers().isEmpty()) {
          NodeFiles files =
              new NodeFiles(asking, found.site(), at, id, of, holding.containers(), readBytes);
          places.add(new Place(files, holding.containers()));
        }
      }
    }
    return new Places(places, survey);
  }

  private Optional<Place> here(Level at, CheckpointId id, String of, int rank) {
    CheckpointStore store = new SubdirectoryStore(node, NodeServer.directory(at, id.group(), of));
    try {
      Optional<StoredCheckpoint> found = Inventory.find(store, id, rank);
      return found.map(stored -> new Place(store, stored.containersOf(rank)));
    } catch (IOException e) {
      LOG.warn("{} of rank {} cannot be used at {}", id, rank, store.describe(), e);
      return Optional.empty();
    }
  }
}
