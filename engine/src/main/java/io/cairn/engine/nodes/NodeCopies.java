package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.NodeSite;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one rank at one level at other nodes, as they answered when this was used first.
 * Nodes are not asked before. Thread-safe.
 */
final class NodeCopies implements CopySource {
  private final Asking asking;
  private final OtherNodes others;
  private final Level level;
  private final Member member;
  private final Birth birth;
  private final Duration patience;
  private final LongConsumer readBytes;

  private @Nullable Answers answers;

  /** The birth of the rank's group. */
  @FunctionalInterface
  interface Birth {
    /**
     * A UUID.
     *
     * @throws IOException if it is not known
     */
    String find() throws IOException;
  }

  private record Answers(String birth, OtherNodes.Survey survey) {
    List<OtherNodes.Found> found() {
      return survey.found();
    }
  }

  /**
   * Nobody is asked yet.
   *
   * @param patience a node that has given no answer for so long is lost with its copies
   */
  NodeCopies(
      Asking asking,
      OtherNodes others,
      Level level,
      Member member,
      Birth birth,
      Duration patience,
      LongConsumer readBytes) {
    this.asking = asking;
    this.others = others;
    this.level = level;
    this.member = member;
    this.birth = birth;
    this.patience = patience;
    this.readBytes = readBytes;
  }

  @Override
  public Level level() {
    return level;
  }

  @Override
  public String describe() {
    return "the other nodes";
  }

  private synchronized Answers answers() throws IOException {
    Answers known = answers;
    if (known == null) {
      String of = birth.find();
      known = new Answers(of, others.survey(level, member, of));
      answers = known;
    }
    return known;
  }

  @Override
  public boolean ofAllRanks() {
    return false;
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member asking) throws IOException {
    requireOwn(asking.rank());
    Map<CheckpointId, Holding> holdings = new TreeMap<>();
    for (OtherNodes.Found at : answers().found()) {
      for (RankHolding holding : at.holdings()) {
        holdings.merge(holding.id(), holding(holding, at.site()), NodeCopies::better);
      }
    }
    return holdings;
  }

  private static Holding holding(RankHolding holding, NodeSite site) {
    return Holding.of(holding, holding.problem().isEmpty() ? "" : site + ": " + holding.problem());
  }

  /** Of two nodes' reports the one that helps this rank more. */
  private static Holding better(Holding one, Holding other) {
    return worth(other) > worth(one) ? other : one;
  }

  private static int worth(Holding holding) {
    int manifest = holding.candidate().isPresent() ? 1 : 0;
    return 4 * (holding.own() ? 1 : 0) + 2 * manifest + (holding.problem().isEmpty() ? 1 : 0);
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
    requireOwn(rank);
    IOException failure = null;
    Answers known = answers();
    for (OtherNodes.Found at : known.found()) {
      for (RankHolding holding : at.holdings()) {
        if (holding.id().equals(id) && isCopy(holding)) {
          try {
            return Optional.of(open(at.site(), holding, known.birth()));
          } catch (IOException e) {
            failure = e;
            if (Asking.isSilence(e)) {
              others.passOverReads(at.site());
            }
          }
        }
      }
    }
    Optional<IOException> unknown = known.survey().unknown(node -> true, patience);
    if (unknown.isPresent()) { // a copy that is damaged elsewhere is not the last word
      Optional.ofNullable(failure).ifPresent(unknown.get()::addSuppressed);
      throw unknown.get();
    } else if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  /** Whether a node holds containers, and not a parity that they are computed from. */
  private static boolean isCopy(RankHolding holding) {
    return !holding.containers().isEmpty()
        && !StoreNames.isParity(holding.containers().get(0).file());
  }

  /** A process that fell silent costs one wait, not one for each of its checkpoints. */
  private Copy open(NodeSite site, RankHolding holding, String of) throws IOException {
    if (others.leavesReadsUnanswered(site)) {
      throw new IOException(site + " gave no answer a moment ago");
    }
    NodeFiles files =
        new NodeFiles(asking, site, level, holding.id(), of, holding.containers(), readBytes);
    RankReader reader = RankReader.open(files, holding.id(), member.rank(), holding.containers());
    Fingerprint program = ContainerSummary.program(holding.containers());
    return new Copy(files.describe(), reader.images(), program, reader, reader);
  }

  private void requireOwn(int rank) {
    if (rank != member.rank()) {
      throw new IllegalArgumentException("nodes were asked for " + member + ", not rank " + rank);
    }
  }
}
