package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The staging servers, and the orders to them. They are the processes of the first nodes by name,
 * so every process knows the same ones without a message, and the next node takes the place of a
 * lost one. Or they are the processes of given hosts, which may have no ranks. Thread-safe.
 */
public final class StagingServers {
  /** Servers that are asked to write one rank's data, one after the other. */
  private static final int MOST_TRIED = 2;

  private final StagingSettings settings;
  private final LongSupplier nanoTime;
  private volatile @Nullable Link link;

  private record Link(Asking asking, OtherNodes others) {}

  /**
   * No process is known yet.
   *
   * @param settings which processes are staging servers
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public StagingServers(StagingSettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
  }

  /** Orders go to these processes from now on. */
  void join(Asking asking, OtherNodes others) {
    link = new Link(asking, others);
  }

  /**
   * Has one rank's data written to STORE; waits for that.
   *
   * @param part the rank's part of the manifest, as at this node
   * @param birth of its group
   * @param givenUp whether the group gave the checkpoint up, so that nobody waits for it any more
   * @return empty if this process should write it itself, although nothing failed: it is at a node
   *     with servers, or knows of none
   * @throws SkippedException if the group gave it up
   * @throws IOException if no server that was asked wrote it
   */
  Optional<ContainerSummary> write(CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException {
    Link to = link;
    if (to == null && !settings.hosts().isEmpty()) {
      throw new IOException("setting staging has hosts, and this process knows no other");
    }
    List<NodeSite> sites = to == null ? List.of() : sites(to.others(), part);
    if (to == null || sites.isEmpty()) {
      return Optional.empty();
    }
    IOException failure =
        new IOException("no staging server writes " + part.id() + ", ranks " + part.ranks());
    for (NodeSite site : sites.subList(0, Math.min(MOST_TRIED, sites.size()))) {
      try {
        return Optional.of(order(to, site, part, birth, givenUp));
      } catch (InterruptedIOException | SkippedException e) {
        throw e;
      } catch (IOException e) {
        if (Asking.isSilence(e)) {
          to.others().passOver(site);
        }
        failure.addSuppressed(e);
      }
    }
    throw new IOException(
        failure.getMessage() + ": " + failure.getSuppressed()[0].getMessage(), failure);
  }

  /** One process of each node with servers; the ranks are spread over them. */
  private List<NodeSite> sites(OtherNodes others, CheckpointManifest part) throws IOException {
    NodeSite self = others.self();
    Map<String, NodeSite> byNode = new TreeMap<>(Map.of(self.node(), self));
    for (NodeSite site : others.reachable()) {
      byNode.merge(site.node(), site, (a, b) -> a.process().compareTo(b.process()) <= 0 ? a : b);
    }
    List<NodeSite> servers =
        byNode.values().stream()
            .filter(site -> settings.mayServe(site.address().host()))
            .limit(settings.mostNodes())
            .toList();
    if (servers.isEmpty() && !settings.hosts().isEmpty()) {
      throw new IOException(
          "no executor at the hosts of setting staging, "
              + settings.hosts()
              + ", is known that answers; executors answer at "
              + byNode.values().stream().map(site -> site.address().host()).distinct().toList());
    } else if (servers.isEmpty() || servers.contains(self)) {
      return List.of();
    }
    List<NodeSite> inTurn = new ArrayList<>(servers);
    int turn = RankPart.turn(part.id().group(), part.ranks().iterator().next());
    Collections.rotate(inTurn, -Math.floorMod(turn, inTurn.size()));
    return inTurn;
  }

  private ContainerSummary order(
      Link to, NodeSite site, CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException {
    PeerRequest.StageRank order =
        new PeerRequest.StageRank(
            to.others().self(), birth, ByteBuffer.wrap(ManifestCodec.encode(part)));
    long end = nanoTime.getAsLong() + Partners.longest(part.bytes()).toNanos();
    Asking asking = to.asking();
    while (true) {
      if (givenUp.getAsBoolean()) {
        throw new SkippedException("the group gave up " + part.id() + " while " + site + " wrote");
      }
      PeerReply.Flushing answer =
          asking.await(asking.ask(site.address(), order, PeerReply.Flushing.class), site);
      if (answer instanceof PeerReply.Written written) {
        return checked(written.container(), part, site);
      } else if (nanoTime.getAsLong() - end >= 0) {
        throw new IOException(site + " takes too long to write " + part.bytes() + " bytes");
      }
      asking.pause(Partners.POLL);
    }
  }

  /** Requires that a server's answer is about this rank. */
  private static ContainerSummary checked(
      ContainerSummary written, CheckpointManifest part, NodeSite server) throws IOException {
    boolean ofRank = List.copyOf(part.ranks()).equals(written.ranks());
    if (!ofRank
        || !StoreNames.isContainer(written.file())
        || written.bytes() > RankPart.MOST_BYTES) {
      throw new IOException(server + " answers with " + written + " for ranks " + part.ranks());
    }
    return written;
  }
}
