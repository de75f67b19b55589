package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import io.cairn.core.protocol.VirtualTime;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holders on two nodes, the desk, and what carries messages between them: they get lost, arrive
 * twice, late and in any order. The desk may be replaced by an empty one at any moment.
 */
final class SharingWorld {
  /** Ways to be wrong that {@link SharingTruth} must notice. */
  enum Mutation {
    /** A lease's slots are free when its time is over. */
    FREES_AT_EXPIRY,
    /** A process that does not answer is taken for dead. */
    STOPPED_IS_DEAD,
    /** Messages of old epochs are stamped with the current one. */
    STAMPS_THE_CURRENT_EPOCH,
    /** The verifier does not look. */
    APPROVES_ALL,
    /** Nobody hears of a withdrawal. */
    WITHDRAWS_SILENTLY,
    /** A reader gives its pin up and goes on reading. */
    UNPINS_EARLY,
    /** A borrower releases while its copies are under way. */
    RELEASES_EARLY,
    /** A borrower says filled while its copies are under way. */
    FILLS_EARLY,
    /** A borrower never releases. */
    NEVER_RELEASES,
    /** Nobody says that a process is dead. */
    FORGETS_THE_DEAD,
    /** The desk's answer gives a rank less than it has. */
    PLANS_TOO_LITTLE
  }

  static final int QUOTA = 5;
  static final long CHUNK_BYTES = 1;
  static final LeaseTerms TERMS = new LeaseTerms(250_000_000L, QUOTA);
  private static final DeskTerms DESK = new DeskTerms(60_000_000L, 6, 20);

  final VirtualTime time = new VirtualTime();
  final Random random;
  final SharingTruth truth = new SharingTruth();
  private final Set<Mutation> broken;
  private final Map<String, SimulatedHolder> holders = new TreeMap<>();
  private final Map<String, Integer> remainders = new HashMap<>();
  private final Map<GroupId, Long> deskEpochs = new HashMap<>();
  private final SimulatedGroups groups = new SimulatedGroups(this);
  private boolean faulty = true;
  private PlanDesk desk = newDesk();
  private int born;

  SharingWorld(Random random, Set<Mutation> broken) {
    this.random = random;
    this.broken = broken;
  }

  boolean breaks(Mutation mutation) {
    return broken.contains(mutation);
  }

  boolean faulty() {
    return faulty;
  }

  /** From now on nothing fails, except for what is under way. */
  void endFaults() {
    faulty = false;
  }

  long nanos() {
    return time.nowMillis() * 1_000_000;
  }

  SimulatedGroups groups() {
    return groups;
  }

  List<SimulatedHolder> holders() {
    return List.copyOf(holders.values());
  }

  List<SimulatedHolder> running() {
    return holders.values().stream().filter(holder -> holder.process.running()).toList();
  }

  void startHolder() {
    int number = born++;
    SimulatedHolder holder = new SimulatedHolder("h" + number, "node-" + number % 2, this);
    holders.put(holder.process.name, holder);
    holder.lender.start();
    register(holder);
  }

  /** Every holder says again and again where it is and what it could take. */
  private void register(SimulatedHolder holder) {
    String name = holder.process.name;
    toDesk(new DeskMessage.Registered(new HolderSite(name, holder.node, 0)));
    toDesk(new DeskMessage.Spare(name, holder.lender.spare(), CHUNK_BYTES));
    holder.process.after(100 + random.nextInt(200), () -> register(holder));
  }

  /** Dies without anybody to take its place. */
  void killForGood(SimulatedHolder victim) {
    victim.process.die();
    truth.dies(victim.lender);
    proveDead(victim);
  }

  /** Dead at once; what its copies had begun lands shortly; proven later, to each at its time. */
  void kill(SimulatedHolder victim) {
    killForGood(victim);
    time.after(30 + random.nextInt(300), () -> onDesk(new DeskEvent.Gone(victim.process.name)));
    time.after(30 + random.nextInt(300), () -> groups.lost(victim));
    time.after(100 + random.nextInt(400), this::startHolder);
  }

  void stop(SimulatedHolder victim) {
    victim.process.stopFor(50 + random.nextInt(1_500));
    truth.count("stopped");
    if (random.nextBoolean()) {
      time.after(200, () -> groups.lost(victim));
    }
    if (breaks(Mutation.STOPPED_IS_DEAD)) {
      proveDead(victim);
    }
  }

  private void proveDead(SimulatedHolder victim) {
    if (breaks(Mutation.FORGETS_THE_DEAD)) {
      return;
    }
    for (SimulatedHolder holder : holders.values()) {
      holder.process.after(
          25 + random.nextInt(500),
          () -> holder.lender.on(new LeaseEvent.BorrowerDead(victim.process.name)));
    }
  }

  /** The driver's part is lost, and an empty one takes its place. */
  void replaceDesk() {
    time.note("desk", "is lost");
    truth.count("desks lost");
    desk = newDesk();
    deskEpochs.clear();
  }

  private PlanDesk newDesk() {
    return new PlanDesk(DESK, this::linking, new ParametricFlowScheduler(true, false));
  }

  /** Now and then there is none, or no way to the host for somebody. */
  private Topology linking(List<HolderSite> sites) {
    if (faulty && sites.size() % 5 == 0) {
      throw new IllegalStateException("nobody knows what links " + sites.size() + " holders");
    }
    TopologyBuilder builder = Topology.builder(sites.size());
    for (int one = 0; one < sites.size(); one++) {
      builder.host(one, faulty && sites.size() % 4 == 0 && one == 0 ? 0 : 10);
      for (int other = 0; other < one; other++) {
        double rate = sites.get(one).node().equals(sites.get(other).node()) ? 50 : 20;
        builder.link(one, other, rate).link(other, one, rate);
      }
    }
    return builder.build();
  }

  /** A message on its way, once, twice or never. */
  private void carry(Runnable arrival) {
    if (faulty && random.nextInt(10) == 0) {
      return;
    }
    int copies = faulty && random.nextInt(8) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean late = faulty && random.nextInt(12) == 0;
      time.after(1 + random.nextInt(late ? 1_500 : 15), arrival);
    }
  }

  private static PeerRequest overTheWire(PeerRequest request) {
    return Wire.decode(Wire.encode(request), PeerRequest.class);
  }

  void request(String lender, LeaseRequest request) {
    LeaseRequest arriving =
        ((PeerRequest.Lease) overTheWire(new PeerRequest.Lease(stamped(request)))).request();
    carry(() -> at(lender, holder -> holder.lender.receive(arriving)));
  }

  void answer(String borrower, LeaseAnswer answer) {
    LeaseAnswer arriving =
        ((PeerRequest.Notice) overTheWire(new PeerRequest.Notice(answer))).answer();
    carry(() -> at(borrower, holder -> holder.hear(arriving)));
  }

  /** The lender asks the borrower to move its chunks to its own host memory. */
  void vacate(LeaseId id) {
    carry(() -> at(id.holder(), holder -> holder.vacate(id)));
  }

  /** An attempt hears, or not, that its epoch is over. */
  void fence(SimulatedBorrower old, long epoch) {
    time.note("group", "is in epoch " + epoch);
    carry(() -> old.holder().process.after(0, old::end));
  }

  void land(String lender, SharingTruth.Place place, int slot, int content) {
    @Nullable SimulatedHolder holder = holders.get(lender);
    if (holder != null) {
      holder.lender.land(place, slot, content);
    }
  }

  private void at(String name, Consumer<SimulatedHolder> arrival) {
    @Nullable SimulatedHolder holder = holders.get(name);
    if (holder != null) {
      holder.process.after(0, () -> arrival.accept(holder));
    }
  }

  private LeaseRequest stamped(LeaseRequest request) {
    LeaseId id = request.id();
    if (!breaks(Mutation.STAMPS_THE_CURRENT_EPOCH)
        || !(request instanceof LeaseRequest.Acquire acquire)) {
      return request;
    }
    CheckpointId now =
        new CheckpointId(
            id.checkpoint().group(),
            groups.epoch(id.checkpoint().group()),
            id.checkpoint().iteration());
    return new LeaseRequest.Acquire(
        new LeaseId(id.holder(), id.nonce(), now, id.rank()), acquire.chunks());
  }

  void toDesk(DeskMessage message) {
    if (message instanceof DeskMessage.Report report) {
      remainders.put(report.checkpoint() + " " + report.member().rank(), report.remainderChunks());
    }
    DeskMessage arriving =
        ((PeerRequest.Desk) overTheWire(new PeerRequest.Desk(message))).message();
    carry(() -> onDesk(arriving));
  }

  private void onDesk(DeskEvent event) {
    time.note("desk", event.toString());
    PlanDesk now = desk;
    if (event instanceof DeskMessage.Report report) {
      deskEpochs.merge(report.member().group(), report.epoch(), Math::max);
    }
    for (DeskAction action : now.on(event, nanos())) {
      time.note("desk", "  -> " + action);
      if (action instanceof DeskAction.Answer answer) {
        PlanAnswer checked = checked(answer.answer());
        carry(() -> at(answer.holder(), holder -> holder.hear(checked)));
      } else if (action instanceof DeskAction.WakeAt wake) {
        time.after(Math.max(0, wake.nanos() / 1_000_000 - time.nowMillis()), () -> wake(now));
      }
    }
  }

  private void wake(PlanDesk whose) {
    if (desk == whose) {
      onDesk(new DeskEvent.Clock());
    }
  }

  private PlanAnswer checked(PlanAnswer answer) {
    byte[] bytes = Wire.encode(new PeerReply.Planned(answer));
    PlanAnswer arriving = Wire.decode(bytes, PeerReply.Planned.class).answer();
    if (arriving instanceof PlanAnswer.Part part) {
      truth.count(part.reason().isEmpty() ? "plans" : "all to the host");
      long epoch = deskEpochs.getOrDefault(part.checkpoint().group(), 0L);
      truth.require(part.checkpoint().epoch() >= epoch, part, "counts in epoch", epoch);
      int chunks = part.leases().stream().mapToInt(PlanAnswer.PlannedLease::chunks).sum();
      int lacking = breaks(Mutation.PLANS_TOO_LITTLE) && chunks > 0 ? 1 : 0;
      truth.require(
          chunks + part.hostChunks() - lacking
              == remainders.getOrDefault(part.checkpoint() + " " + part.rank(), -1),
          "%s is not what was reported",
          part);
    } else {
      truth.count("refused reports");
    }
    return arriving;
  }
}
