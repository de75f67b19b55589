package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.core.sharing.SharingTruth.Place;
import io.cairn.core.sharing.SharingTruth.Slot;
import io.cairn.core.sharing.SharingWorld.Mutation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A holder's book and memory, and all that carries the book's actions out. */
final class SimulatedLender {
  static final int SLOTS = 10;
  private static final Comparator<LeaseId> ORDER = Comparator.comparing(LeaseId::toString);

  final SimulatedProcess process;
  private final SharingWorld world;
  private final Random random;
  private final LeaseBook book = new LeaseBook(SLOTS, SharingWorld.TERMS);

  /** What each slot contains: the checksum of whatever was written last. */
  private final int[] memory = new int[SLOTS];

  /** Slots that are in the cache. */
  private final TreeSet<Integer> home = new TreeSet<>();

  /** How many of those the trainer needs for itself. */
  private int needed;

  /** The node's files, which outlive this process. */
  private final Map<Place, Integer> nodeFiles = new HashMap<>();

  private final Map<Place, LeasedChunk> inSlots = new HashMap<>();
  private int trainerWrites = 1;

  SimulatedLender(SimulatedProcess process, SharingWorld world) {
    this.process = process;
    this.world = world;
    this.random = world.random;
  }

  String id() {
    return process.name;
  }

  void start() {
    home.addAll(IntStream.range(0, SLOTS).boxed().toList());
    process.after(random.nextInt(200), this::train);
    process.after(random.nextInt(200), this::keepHouse);
  }

  /** How many slots the cache would lend. */
  int spare() {
    return Math.max(0, home.size() - needed);
  }

  boolean isHome(int slot) {
    return home.contains(slot);
  }

  /** Nothing is lent. */
  boolean isEmpty() {
    return book.occupancy().lent() == 0 && home.size() == SLOTS;
  }

  @Override
  public String toString() {
    return id() + " " + book.occupancy() + " home " + home + " holds " + inSlots.keySet();
  }

  /** Whether the bytes are where the book says, or in a file of the node. */
  boolean keeps(Place place, FilledChunk chunk) {
    @Nullable LeasedChunk held = inSlots.get(place);
    if (held != null) {
      return memory[held.slot()] == chunk.checksum();
    }
    @Nullable Integer kept = nodeFiles.get(place);
    return kept != null && kept == chunk.checksum();
  }

  /** A copy lands, whatever the process is doing. */
  void land(Place place, int slot, int content) {
    if (process.alive()) {
      world.truth.landsWrite(place, new Slot(id(), slot));
      memory[slot] = content;
      world.truth.check();
    }
  }

  /** A request arrives; slots come with it if the book asks for any, and now and then if not. */
  void receive(LeaseRequest request) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      CheckpointId checkpoint = acquire.id().checkpoint();
      world.truth.begins(this, checkpoint.group(), checkpoint.epoch());
      boolean offers = book.wouldGrant(acquire.id()) || random.nextInt(8) == 0;
      int surplus = random.nextInt(8) == 0 ? 1 : 0;
      on(new LeaseEvent.Offer(acquire, lend(offers ? acquire.chunks() + surplus : 0)));
    } else {
      on(request);
    }
  }

  private List<Integer> lend(int wanted) {
    List<Integer> lent = home.stream().limit(Math.min(wanted, spare())).toList();
    lent.forEach(home::remove);
    return lent;
  }

  void on(LeaseEvent event) {
    process.note(event.toString());
    Occupancy before = book.occupancy();
    List<LeaseAction> actions = book.on(event, world.nanos());
    remember();
    actions.forEach(action -> carryOut(action, before));
    world.truth.require(
        book.occupancy().lent() + home.size() == SLOTS, "slots of", id(), "are lost");
    world.truth.check();
  }

  private void remember() {
    inSlots.clear();
    for (Lease lease : book.leases()) {
      for (int position : lease.positions(lease::holds)) {
        inSlots.put(new Place(lease.id, position), lease.held(position));
      }
    }
  }

  private void carryOut(LeaseAction action, Occupancy before) {
    process.note("  -> " + action);
    if (action instanceof LeaseAction.Send send) {
      world.truth.sends(this, send.answer(), before);
      world.answer(send.holder(), send.answer());
      releaseAtExpiry(send.answer());
    } else if (action instanceof LeaseAction.Verify verify) {
      process.after(1 + random.nextInt(40), () -> verify(verify));
    } else if (action instanceof LeaseAction.MoveOrDrop move) {
      process.after(1 + random.nextInt(150), () -> move(move));
    } else if (action instanceof LeaseAction.Read read && !read.chunks().isEmpty()) {
      flush(read);
    } else if (action instanceof LeaseAction.Return back) {
      back.slots().forEach(this::returned);
    } else if (action instanceof LeaseAction.Withdraw withdraw
        && !world.breaks(Mutation.WITHDRAWS_SILENTLY)) {
      world.truth.withdraws(this, withdraw.checkpoint(), withdraw.rank());
    } else if (action instanceof LeaseAction.WakeAt wake) {
      long millis = Math.max(0, wake.nanos() / 1_000_000 - world.time.nowMillis());
      process.after(millis, () -> on(new LeaseEvent.Clock()));
    }
  }

  private void returned(int slot) {
    world.truth.returns(this, slot);
    home.add(slot);
    // the trainer may use it at once
    memory[slot] = trainerWrites++;
    world.truth.count("returned");
  }

  private void releaseAtExpiry(LeaseAnswer answer) {
    if (world.breaks(Mutation.FREES_AT_EXPIRY) && answer instanceof LeaseAnswer.Granted granted) {
      long millis = SharingWorld.TERMS.fillNanos() / 1_000_000;
      process.after(millis, () -> on(new LeaseRequest.Release(granted.id())));
    }
  }

  private void verify(LeaseAction.Verify verify) {
    List<Integer> whole = new ArrayList<>();
    List<Integer> damaged = new ArrayList<>();
    for (LeasedChunk held : verify.chunks()) {
      boolean same = memory[held.slot()] == held.chunk().checksum();
      boolean approved = same || world.breaks(Mutation.APPROVES_ALL);
      (approved ? whole : damaged).add(held.chunk().position());
    }
    on(new LeaseEvent.Verified(verify.id(), whole, damaged));
  }

  private void move(LeaseAction.MoveOrDrop move) {
    boolean room = random.nextInt(4) > 0;
    List<Integer> positions = move.chunks().stream().map(held -> held.chunk().position()).toList();
    if (room) {
      world.vacate(move.id());
    }
    world.truth.count(room ? "moves" : "drops");
    on(new LeaseEvent.Moved(move.id(), room ? List.of() : positions));
  }

  private void flush(LeaseAction.Read read) {
    read.chunks().forEach(held -> world.truth.reads(this, held.slot(), 1));
    if (world.breaks(Mutation.UNPINS_EARLY)) {
      process.after(0, () -> on(new LeaseEvent.Unpin(read.id())));
    }
    process.after(5 + random.nextInt(200), () -> flushed(read));
  }

  private void flushed(LeaseAction.Read read) {
    for (LeasedChunk held : read.chunks()) {
      world.truth.reads(this, held.slot(), -1);
      world.truth.require(
          memory[held.slot()] == held.chunk().checksum(),
          id(),
          "read something else in slot",
          held.slot(),
          "under a pin");
      nodeFiles.put(new Place(read.id(), held.chunk().position()), memory[held.slot()]);
    }
    world.truth.count("flushed");
    on(
        new LeaseEvent.Flushed(
            read.id(), read.chunks().stream().map(held -> held.chunk().position()).toList()));
    if (!world.breaks(Mutation.UNPINS_EARLY)) {
      on(new LeaseEvent.Unpin(read.id()));
    }
  }

  /** The trainer's own needs come and go. */
  private void train() {
    if (world.faulty() && random.nextInt(3) == 0) {
      needed = 1 + random.nextInt(SLOTS);
      long deadline = world.nanos() + random.nextInt(120) * 1_000_000L;
      if (needed > home.size()) {
        world.truth.count("taken back");
        on(new LeaseEvent.TakeBack(needed - home.size(), deadline));
      }
    } else {
      needed = 0;
    }
    process.after(50 + random.nextInt(500), this::train);
  }

  /** Flushes in the background. */
  private void keepHouse() {
    List<LeaseId> held = inSlots.keySet().stream().map(Place::id).distinct().sorted(ORDER).toList();
    if (!held.isEmpty()) {
      on(new LeaseEvent.Pin(held.get(random.nextInt(held.size()))));
    }
    process.after(30 + random.nextInt(200), this::keepHouse);
  }
}
