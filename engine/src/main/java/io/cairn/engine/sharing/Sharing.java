package io.cairn.engine.sharing;

import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.LeaseTerms;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.engine.sharing.borrower.Borrower;
import io.cairn.engine.sharing.borrower.LeasedChunks;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.engine.sharing.borrower.PushQueue;
import io.cairn.engine.sharing.lender.LeaseContainers;
import io.cairn.engine.sharing.lender.Lender;
import io.cairn.engine.sharing.lender.NodeStores;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import io.cairn.flush.format.ContainerWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's part in sharing device memory: lends spare slots of its cache, and leases slots of
 * other processes for checkpoints that do not fit. Thread-safe.
 */
public final class Sharing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);
  private static final long NOTICE_STEP_MILLIS = 10;

  /** After this time a borrower receives the reply that its container is still being written. */
  private static final Duration STILL_WRITING = Duration.ofSeconds(3);

  private final HolderSite site;
  private final SharingTerms terms;
  private final ChunkCache cache;
  private final SharingThreads threads;
  private final PeerTransport transport;
  private final DeskLink desk;
  private final PushQueue pushes;
  private final Peers peers;
  private final Lender lender;
  private final Borrower borrower;
  private final HolderService service;
  private final Rounds rounds;

  /** Groups of which each rank reports to the desk, wherever the ranks are. */
  private final Set<GroupId> sharing = ConcurrentHashMap.newKeySet();

  /**
   * Serves peers and registers at the desk. Closes the transport with itself; one that others use
   * goes on.
   *
   * @param process the name of this process in its own system
   * @param memory the memory of the cache; opens the memory of peers on this machine
   * @param machine name of the machine, equal for processes that can share memory
   * @param device index of this process's device on the machine
   * @param desk the address of the desk
   * @param threads end with this
   */
  public Sharing(
      SharingTerms terms,
      String process,
      ChunkCache cache,
      DeviceMemory memory,
      String machine,
      int device,
      PeerAddress desk,
      PeerTransport.Opening transports,
      SharingThreads threads)
      throws IOException {
    this.terms = terms;
    this.cache = cache;
    this.threads = threads;
    this.service =
        new HolderService(sharing::add, cache.chunkBytes(), threads.start().apply("cairn-move"));
    this.transport = transports.open(service);
    this.desk =
        new DeskLink(
            transport, desk, terms.patience().toNanos(), threads.nanoTime(), threads.waits());
    HolderId self = HolderId.of(process, transport.address());
    this.site = new HolderSite(self.toString(), machine, device);
    this.pushes =
        new PushQueue(transport, cache.chunkBytes(), threads.start().apply(PushQueue.THREAD));
    this.peers =
        new Peers(
            transport, memory, machine, cache.chunkBytes(), terms.roundsOfSilence(), this::found);
    this.lender =
        new Lender(
            cache,
            new LeaseTerms(terms.fill().toNanos(), terms.quotaOf(cache.slotNumbers())),
            peers,
            threads.nanoTime(),
            threads.start());
    this.borrower =
        new Borrower(
            self,
            peers,
            pushes,
            cache.chunkBytes(),
            terms.patience().toNanos(),
            threads.nanoTime(),
            threads.waits());
    service.begin(() -> greeting(self, machine), lender, borrower);
    this.rounds =
        new Rounds(
            site,
            terms,
            this.desk,
            peers,
            lender,
            borrower,
            this::lendable,
            cache.chunkBytes(),
            threads.nanoTime(),
            threads.start().apply(Rounds.THREAD));
    rounds.begin();
  }

  private void found(Peers.Peer peer) {
    lender.greeted(peer.id().toString());
    if (!peer.isOnThisMachine()) {
      pushes.prepare();
    }
  }

  private Greeting greeting(HolderId self, String machine) {
    return new Greeting(
        self.toString(),
        machine,
        cache.chunkBytes(),
        cache.lentSlots().exports().stream().map(SlotExport::toMessage).toList());
  }

  /**
   * From now on this process writes chunks that it holds for borrowers to NODE, when they order it.
   *
   * @param nodes this process's NODE; closed by the caller, after this
   * @param compression of the chunks
   * @param flushedBytes receives the bytes of each container that was written for a borrower
   */
  public void flushTo(NodeStores nodes, Compression compression, LongConsumer flushedBytes) {
    service.flushTo(
        new LeaseContainers(
            HolderId.parse(site.holder()),
            nodes,
            lender,
            cache.lentSlots(),
            new ContainerWriter(cache.chunkBytes(), compression),
            STILL_WRITING,
            flushedBytes,
            threads.waits(),
            threads.start().apply("cairn-lease-node")));
  }

  /**
   * From now on runs this about once a second while no connection to the desk is made.
   *
   * @param action must return soon; this process may host the desk then
   */
  public void withoutDesk(Runnable action) {
    rounds.withoutDesk(action);
  }

  /** This process, as its peers know it. */
  public String holder() {
    return site.holder();
  }

  /** A report to the desk that is not answered yet. */
  public record Asked(
      Member member, CachedCheckpoint target, CompletionStage<PeerReply.Planned> answer) {}

  /** Whether every rank of this group reports, since one of them has a remainder. */
  public boolean isShared(GroupId group) {
    return sharing.contains(group);
  }

  /** Asks the desk for a plan for the chunks that do not fit this process's own cache. */
  public Asked ask(Member member, CachedCheckpoint target) {
    return ask(member, target, target.chunks() - target.placed());
  }

  private Asked ask(Member member, CachedCheckpoint target, int chunks) {
    DeskMessage.Report report =
        new DeskMessage.Report(
            member,
            target.id().epoch(),
            target.id().iteration(),
            site.holder(),
            Math.min(chunks, DeskMessage.MOST_CHUNKS), // the rest goes to the host
            lendable(),
            cache.chunkBytes());
    return new Asked(member, target, desk.ask(report));
  }

  /**
   * Waits for the plan, finds places for the remainder, and starts to copy it. Waits for the desk,
   * and then for the lenders, each for at most its patience, which follows the usual delay. Chunks
   * may be left without a place, which the caller checks.
   *
   * @param withdrawn takes the reason if a lender loses its chunks; the checkpoint is lost then
   * @return the leases, to be announced when all chunks are copied
   * @throws IllegalStateException if a lender lost its chunks meanwhile; the caller abandons the
   *     capture
   */
  public Leases place(Asked asked, Capture capture, Consumer<String> withdrawn) {
    int missing = asked.target().chunks() - asked.target().placed();
    PlanAnswer.Part plan = desk.plan(asked, missing);
    return borrower.place(asked.member(), plan, asked.target(), capture, withdrawn);
  }

  /**
   * Waits for the copies to leased slots. Chunks whose lender was lost meanwhile, even after they
   * were copied, get other places, at other lenders or in host memory, and are copied again. Slots
   * where a copy may still land stay leased, and the capture fails. The source must not have
   * changed since the capture began.
   *
   * @return the leases after that; a lost one stays if there is no other place, and the capture
   *     fails then
   * @throws InterruptedException if interrupted; the copies continue
   */
  public Leases settle(
      Member member,
      Leases leases,
      CachedCheckpoint target,
      Capture capture,
      Consumer<String> withdrawn)
      throws InterruptedException {
    Leases now = leases;
    for (LeasedChunks one : leases.parts()) {
      int end = one.first() + one.chunks();
      boolean landed = capture.hasLanded(one.first(), end);
      if (!capture.hasEnded(one.first(), end)) {
        LOG.warn("{}: its {} stay leased, since a copy may still land there", target, one);
      } else if (!landed || one.isLost()) {
        LOG.warn("{}: its {} are lost there and go elsewhere", target, one);
        // until its own next report
        desk.send(new DeskMessage.Spare(one.lender(), 0, cache.chunkBytes()));
        PlanAnswer.Part plan = desk.plan(ask(member, target, one.chunks()), one.chunks());
        Optional<Leases> by = borrower.replace(member, plan, one, capture, withdrawn);
        now = by.isPresent() ? now.with(one, by.get()) : now;
      }
    }
    return now;
  }

  /** Ends a rank: its leases are released, and slots planned for it are free for other ranks. */
  public void ended(Member member, long epoch, long iteration) {
    borrower.ended(member, epoch);
    desk.forget(member.group());
    desk.send(
        new DeskMessage.Report(
            member, epoch, iteration, site.holder(), 0, lendable(), cache.chunkBytes()));
  }

  /** Spare slots and lent slots; the desk subtracts the lent ones itself. */
  private int lendable() {
    return cache.lentSlots().spare() + cache.lentSlots().count();
  }

  /** Takes lent slots back, since the trainer needs them. */
  public void takeBack(int slots) {
    lender.takeBack(slots, terms.revocation().toNanos());
  }

  /** Takes all lent slots back, if some of them lie in the slab that the cache gives up. */
  public void vacate() {
    // counted first: borrowers give slots back meanwhile, and a request for none is refused
    int lent = cache.lentSlots().count();
    if (lent > 0 && cache.lentSlots().leaving() > 0) {
      takeBack(lent);
    }
  }

  /** The use of the slots that this process lends; fails after {@link #close}. */
  public CompletionStage<Occupancy> lent() {
    return lender.occupancy();
  }

  /** The number of leases that this process has at lenders. */
  public int leases() {
    return borrower.leases();
  }

  /**
   * Takes all lent slots back, waits {@link SharingTerms#notice} for borrowers to move their
   * chunks, then ends. Must not be called from a peer's or a stage's thread.
   */
  @Override
  public void close() {
    rounds.close();
    desk.send(new DeskMessage.Spare(site.holder(), 0, cache.chunkBytes()));
    giveNotice();
    transport.close();
    pushes.close();
    lender.close(); // first: the transport may serve others on
    service.close();
    peers.close();
  }

  private void giveNotice() {
    if (cache.lentSlots().count() > 0) {
      lender.takeBack(cache.slotNumbers(), terms.notice().toNanos());
    }
    try {
      long left = terms.notice().toMillis();
      for (; left > 0 && cache.lentSlots().count() > 0; left -= NOTICE_STEP_MILLIS) {
        threads.waits().sleep(NOTICE_STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
