package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.events.Repeats;
import io.cairn.engine.promotion.NotDueException;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.engine.promotion.SupersededException;
import io.cairn.flush.format.ManifestCodec;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of other nodes that keep copies of this process's checkpoints, and the orders to
 * them. Until this process has joined the others, every order is skipped. Thread-safe.
 */
public final class Partners {
  private static final Logger LOG = LoggerFactory.getLogger(Partners.class);

  /** Nodes that are asked to keep one copy, one after the other, until one does. */
  private static final int MOST_TRIED = 2;

  /** The group that was used the longest ago is forgotten first; its copies are deleted by age. */
  static final int MOST_GROUPS = 4096;

  static final Duration POLL = Duration.ofMillis(50);

  /** A fetch may take this long, and as long as its bytes take at {@link #LEAST_RATE}. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private static final long LEAST_RATE = 1 << 20;

  private final JoinedRanks joined = new JoinedRanks();
  private final Optional<ParitySets> sets;
  private final LongSupplier nanoTime;
  private final Repeats repeats;

  private final LoneDomain lone = new LoneDomain();

  /**
   * By group, guarded by itself, in the order of use. A group that has no rank here any more stays:
   * its last deletion may still wait for its turn.
   */
  private final Map<GroupId, Used> used =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GroupId, Used> eldest) {
          return size() > MOST_GROUPS;
        }
      };

  private volatile @Nullable Link link;

  private record Link(Asking asking, OtherNodes others) {}

  /** The processes that were asked to keep copies of one birth of a group. */
  private record Used(String birth, Set<NodeSite> sites) {}

  /**
   * No process is known yet.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public Partners(PeerSettings settings, LongSupplier nanoTime) {
    this.sets =
        settings.inSets()
            ? Optional.of(new ParitySets(settings, joined, nanoTime))
            : Optional.empty();
    this.nanoTime = nanoTime;
    this.repeats = new Repeats(nanoTime);
  }

  /** Orders go to these processes from now on. */
  void join(Asking asking, OtherNodes others) {
    link = new Link(asking, others);
  }

  /** A rank of this process joined its group in an epoch. */
  void joined(Member member, long epoch) {
    joined.joined(member, epoch);
  }

  /** The ranks of this process. */
  JoinedRanks joined() {
    return joined;
  }

  /**
   * Has one rank's data protected at other nodes; waits until they keep what that takes. A partner
   * that is silent or refuses is replaced by the next in the ring, once. A group in a single
   * failure domain has no sets, and gets partners.
   *
   * @param part the rank's part of the manifest, as at this node
   * @param birth of its group
   * @param givenUp whether the group gave the checkpoint up, so that nobody waits for it any more
   * @return the processes that keep the copy or the parities
   * @throws NotDueException if there is no other failure domain
   * @throws SkippedException if this process knows no other, or not its own failure domain, or the
   *     group gave it up
   * @throws SupersededException if a rank of the group joined a later epoch here
   * @throws IOException if no partner keeps the copy, or not all parities are kept
   */
  List<NodeSite> keep(CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException {
    Link to = link;
    if (to == null) {
      throw new SkippedException("this process knows no other nodes");
    } else if (!to.others().self().knowsDomain()) {
      throw new SkippedException("this process does not know its failure domain; its log says why");
    } else if (joined.isOver(part.id().group(), part.id().epoch())) {
      // its partners and sets may be lost, and the checkpoints of the later epoch would wait
      throw new SupersededException(part.id() + " is of an epoch that is over");
    }
    if (sets.isPresent()) {
      Set<NodeSite> holders = used(part.id().group(), birth).sites();
      Optional<List<NodeSite>> kept =
          sets.get().keep(to.asking(), to.others(), part, birth, givenUp, holders::add);
      if (kept.isPresent()) {
        return kept.get();
      }
    }
    return List.of(copy(to, part, birth, givenUp));
  }

  private NodeSite copy(Link to, CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException {
    int rank = part.ranks().iterator().next();
    List<NodeSite> sites = sites(to, RankPart.turn(part.id().group(), rank));
    if (sites.isEmpty()) {
      lone.found(to.others(), part).ifPresent(LOG::warn);
      throw new NotDueException(LoneDomain.reason(to.others(), part));
    }
    Used ofGroup = used(part.id().group(), birth);
    IOException failure = new IOException("no partner keeps " + part.id() + ", rank " + rank);
    for (NodeSite site : sites.subList(0, Math.min(MOST_TRIED, sites.size()))) {
      try {
        ofGroup.sites().add(site);
        order(to, site, part, birth, givenUp);
        lone.ended().ifPresent(LOG::info);
        return site;
      } catch (InterruptedIOException | SkippedException e) {
        throw e;
      } catch (IOException e) {
        passOver(to, site, e);
        failure.addSuppressed(e);
      }
    }
    throw new IOException(
        failure.getMessage() + ": " + failure.getSuppressed()[0].getMessage(), failure);
  }

  /** The desk is asked again if it knew no other domain a moment ago. */
  private List<NodeSite> sites(Link to, int turn) throws IOException {
    NodeSite self = to.others().self();
    List<NodeSite> sites = PartnerRing.after(self, to.others().reachable(), turn);
    if (sites.isEmpty()) {
      to.others().register();
      sites = PartnerRing.after(self, to.others().reachable(), turn);
    }
    return sites;
  }

  private Used used(GroupId group, String birth) {
    synchronized (used) {
      return used.compute(
          group,
          (g, known) ->
              known != null && known.birth().equals(birth)
                  ? known
                  : new Used(birth, ConcurrentHashMap.newKeySet()));
    }
  }

  private void order(
      Link to, NodeSite site, CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException {
    PeerRequest.KeepCopy order =
        new PeerRequest.KeepCopy(
            to.others().self(), birth, ByteBuffer.wrap(ManifestCodec.encode(part)));
    long end = nanoTime.getAsLong() + longest(part.bytes()).toNanos();
    Asking asking = to.asking();
    while (true) {
      if (givenUp.getAsBoolean()) {
        throw new SkippedException("the group gave up " + part.id() + " while " + site + " wrote");
      } else if (asking.await(asking.ask(site.address(), order, PeerReply.Keeping.class), site)
          instanceof PeerReply.Kept) {
        return;
      } else if (nanoTime.getAsLong() - end >= 0) {
        throw new IOException(site + " takes too long to fetch " + part.bytes() + " bytes");
      }
      asking.pause(POLL);
    }
  }

  /** How long a process may take to keep something that is made of so many bytes. */
  static Duration longest(long bytes) {
    return LONGEST.plusSeconds(bytes / LEAST_RATE);
  }

  /** One that refuses or is slow is alive, and asked again for the next checkpoint. */
  private void passOver(Link to, NodeSite site, IOException failure) {
    if (Asking.isSilence(failure)) {
      to.others().passOver(site);
    }
    repeats
        .pass(site)
        .ifPresent(more -> LOG.warn("{} keeps no copy for this node{}", site, more, failure));
  }

  /**
   * Lets every partner delete what newer sealed checkpoints replace; returns at once.
   *
   * @param newest sealed at PEER
   * @param keep sealed checkpoints that stay
   * @param sealed the checkpoints that count as sealed
   */
  void retain(CheckpointId newest, int keep, List<CheckpointId> sealed) {
    used(newest.group())
        .ifPresent(
            known ->
                send(known, new PeerRequest.RetainCopies(known.birth(), newest, keep, sealed)));
  }

  /** Lets every partner delete a checkpoint that the group gave up; returns at once. */
  void drop(CheckpointId id) {
    used(id.group()).ifPresent(known -> send(known, new PeerRequest.DropCopies(known.birth(), id)));
  }

  /** The training ended in order: lets every partner delete its copies; returns at once. */
  void release(GroupId group, long epoch) {
    forget(group);
    Optional<Used> known;
    synchronized (used) {
      known = Optional.ofNullable(used.remove(group));
    }
    known.ifPresent(
        ofGroup -> send(ofGroup, new PeerRequest.ReleaseCopies(group, ofGroup.birth(), epoch)));
  }

  private Optional<Used> used(GroupId group) {
    synchronized (used) {
      return Optional.ofNullable(used.get(group));
    }
  }

  /** Forgets the ranks and sets of a group that has no rank here any more; its copies stay. */
  void forget(GroupId group) {
    joined.forget(group);
    sets.ifPresent(divided -> divided.forget(group));
  }

  private void send(Used to, PeerRequest request) {
    Link over = link;
    if (over == null) {
      return;
    }
    for (NodeSite site : to.sites()) {
      var unused =
          over.asking()
              .ask(site.address(), request, PeerReply.Done.class)
              .whenComplete((done, failure) -> sent(to, site, request, failure));
    }
  }

  /** A partner that is lost has lost its copies, too. One that serves again deletes by age. */
  private void sent(Used to, NodeSite site, PeerRequest request, @Nullable Throwable failure) {
    if (failure != null && !Asking.isRefusal(failure)) {
      to.sites().remove(site);
      LOG.debug("{} does not answer {}", site, request, failure);
    } else if (failure != null) {
      repeats.pass(site).ifPresent(more -> LOG.warn("{} deletes no copies{}", site, more, failure));
    }
  }
}
