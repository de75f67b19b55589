package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.PeerRequest.RankAt;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.redundancy.ParityHeader;
import io.cairn.flush.redundancy.ParityWriter;
import io.cairn.flush.redundancy.RedundancyScheme;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Makes one parity of a set of ranks. Fetches a verified copy of each rank's containers, computes
 * the parity, publishes it, and deletes the copies. After a failure the copies that are whole stay:
 * they count as copies, and a repeated order does not fetch them again. Not thread-safe.
 *
 * @param order names the set
 * @param into the copies that this node keeps of one birth of a group
 * @param pace slows the reads down
 * @param staging overwritten
 * @param keptBytes receives the length of the parity
 */
record ParityFetch(
    PeerRequest.KeepParity order,
    Asking asking,
    CheckpointStore into,
    Pace pace,
    StagingBuffer staging,
    LongConsumer keptBytes) {
  /** Refuses an order whose set is none. */
  static PeerRequest.KeepParity requireSet(PeerRequest.KeepParity order) {
    List<Integer> ranks = order.members().stream().map(RankAt::rank).toList();
    if (!ranks.equals(ranks.stream().distinct().sorted().toList())
        || ranks.stream().anyMatch(rank -> rank < 0)) {
      throw new IllegalArgumentException("ranks " + ranks + " are no set");
    }
    int parities =
        RedundancyScheme.of(order.scheme(), ranks.size(), order.holders().size()).parities();
    if (order.index() < 0 || order.index() >= parities || order.bytes() < 0) {
      throw new IllegalArgumentException("parity " + order.index() + " of " + parities);
    }
    return order;
  }

  /** The lowest rank of the set, which its files are named after. */
  int lowest() {
    return order.members().get(0).rank();
  }

  /** About the length of the parity, by which a queue is bounded. */
  long bytes() {
    return order.bytes();
  }

  private CheckpointId id() {
    return order.id();
  }

  /**
   * Makes the parity, unless it is here already.
   *
   * @return Kept; StillWriting if a rank's data is not at its node yet
   * @throws IOException if a node does not answer, or data cannot be read or written, or is damaged
   */
  PeerReply.Keeping run() throws IOException {
    if (!isHere()) {
      List<CheckpointManifest> parts = parts();
      if (parts.size() < order.members().size()) {
        return new PeerReply.StillWriting();
      }
      for (int index = 0; index < parts.size(); index++) {
        new CopyFetch(from(index, parts.get(index)), into, parts.get(index), pace, staging).run();
      }
      publish(parts);
    }
    removeCopies();
    return new PeerReply.Kept();
  }

  private boolean isHere() throws IOException {
    List<Integer> ranks = order.members().stream().map(RankAt::rank).toList();
    String file = StoreNames.parity(lowest(), order.index());
    return Inventory.find(into, id(), lowest()).stream()
        .flatMap(stored -> stored.parts().stream())
        .flatMap(part -> part.containers().stream())
        .anyMatch(kept -> kept.file().equals(file) && kept.ranks().equals(ranks));
  }

  /** The parts of the manifest that are at their nodes by now. */
  private List<CheckpointManifest> parts() throws IOException {
    List<CheckpointManifest> parts = new ArrayList<>();
    for (RankAt member : order.members()) {
      part(member).ifPresent(parts::add);
    }
    return parts;
  }

  private Optional<CheckpointManifest> part(RankAt member) throws IOException {
    PeerRequest.ReadPart question = new PeerRequest.ReadPart(id(), order.birth(), member.rank());
    ByteBuffer text =
        asking
            .await(
                asking.ask(member.site().address(), question, PeerReply.Piece.class), member.site())
            .bytes();
    if (!text.hasRemaining()) {
      return Optional.empty();
    }
    CheckpointManifest part = RankPart.decodeWhole(text, "the part of " + member.site());
    if (!part.id().equals(id()) || !part.ranks().contains(member.rank())) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s sent the part of %s, ranks %s, for rank %d of %s",
              member.site(),
              part.id(),
              part.ranks(),
              member.rank(),
              id()));
    }
    return Optional.of(part);
  }

  private NodeFiles from(int index, CheckpointManifest part) {
    return NodeFiles.ofOwner(asking, order.members().get(index).site(), part, order.birth());
  }

  private void publish(List<CheckpointManifest> parts) throws IOException {
    List<ParityHeader.Member> members = new ArrayList<>();
    for (int index = 0; index < parts.size(); index++) {
      String node = order.members().get(index).site().node();
      members.add(new ParityHeader.Member(node, parts.get(index)));
    }
    ParityHeader header = new ParityHeader(order.scheme(), order.index(), order.holders(), members);
    ContainerSummary parity = ParityWriter.write(header, into, into);
    CheckpointManifest first = parts.get(0);
    CheckpointManifest manifest =
        new CheckpointManifest(
            id(),
            first.size(),
            Optional.empty(),
            first.ancestry(),
            UUID.randomUUID().toString(),
            List.of(parity));
    CommitOutcome outcome =
        new ManifestCommit(into).commit(manifest, StoreNames.manifestOfSet(lowest()));
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + into.describe() + ": " + outcome);
    }
    keptBytes.accept(parity.bytes());
  }

  /** The manifests first, so that none names containers that are gone. */
  private void removeCopies() throws IOException {
    for (RankAt member : order.members()) {
      Optional<CheckpointManifest> copy = RankPart.find(into, id(), member.rank());
      if (copy.isPresent()) {
        into.delete(StoreNames.file(id(), StoreNames.manifestPart(member.rank())));
        for (ContainerSummary container : copy.get().containers()) {
          into.delete(StoreNames.file(id(), container.file()));
        }
      }
    }
  }
}
