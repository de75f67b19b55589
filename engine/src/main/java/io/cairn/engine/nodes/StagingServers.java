package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.format.ManifestCodec;
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
 * lost one. Thread-safe.
 */
public final class StagingServers implements StoreServers {
  /** Servers that are asked to write one rank's data, one after the other. */
  private static final int MOST_TRIED = 2;

  private final int nodes;
  private final LongSupplier nanoTime;
  private volatile @Nullable Link link;

  private record Link(Asking asking, OtherNodes others) {}

  /**
   * No process is known yet.
   *
   * @param nodes with staging servers; 0 for none
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public StagingServers(int nodes, LongSupplier nanoTime) {
    this.nodes = nodes;
    this.nanoTime = nanoTime;
  }

  /** Orders go to these processes from now on. */
  void join(Asking asking, OtherNodes others) {
    link = new Link(asking, others);
  }

  /** Empty also if this process is at a node with servers, or knows none. */
  @Override
  public Optional<ContainerSummary> write(
      CheckpointManifest part, String birth, BooleanSupplier givenUp) throws IOException {
    Link to = link;
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
  private List<NodeSite> sites(OtherNodes others, CheckpointManifest part) {
    NodeSite self = others.self();
    Map<String, NodeSite> byNode = new TreeMap<>(Map.of(self.node(), self));
    for (NodeSite site : others.reachable()) {
      byNode.merge(site.node(), site, (a, b) -> a.process().compareTo(b.process()) <= 0 ? a : b);
    }
    List<NodeSite> servers = byNode.values().stream().limit(nodes).toList();
    if (servers.isEmpty() || servers.contains(self)) {
      return List.of();
    }
    List<NodeSite> inTurn = new ArrayList<>(servers);
    Collections.rotate(inTurn, -Math.floorMod(StoreServers.turn(part), inTurn.size()));
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
        return StoreServers.checked(written.container(), part, site);
      } else if (nanoTime.getAsLong() - end >= 0) {
        throw new IOException(site + " takes too long to write " + part.bytes() + " bytes");
      }
      asking.pause(Partners.POLL);
    }
  }
}
