package io.cairn.core.sharing;

import io.cairn.core.sharing.SharingTruth.Place;
import io.cairn.core.sharing.SharingTruth.Slot;
import io.cairn.core.sharing.SharingWorld.Mutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A holder's book and memory, and all that carries the book's actions out. */
final class SimulatedReceiver {
  static final int SLOTS = 10;

  final SimulatedProcess process;
  private final SharingWorld world;
  private final Random random;
  private final LeaseBook book = new LeaseBook(SLOTS, SharingWorld.TERMS);

  /** What each slot contains: the checksum of whatever was written last. */
  private final int[] memory = new int[SLOTS];

  /** Slots that are the trainer's now. */
  private final TreeSet<Integer> home = new TreeSet<>();

  /** Host memory of this process, and the node's files, which outlive it. */
  private final Map<Place, Integer> hostMemory = new HashMap<>();

  private final Map<Place, Integer> nodeFiles = new HashMap<>();
  private final Map<Place, FilledChunk> elsewhere = new HashMap<>();
  private final Map<Place, HeldChunk> inSlots = new HashMap<>();
  private int trainerWrites = 1;

  SimulatedReceiver(SimulatedProcess process, SharingWorld world) {
    this.process = process;
    this.world = world;
    this.random = world.random;
  }

  String id() {
    return process.name;
  }

  void start() {
    on(new LeaseEvent.Lend(IntStream.range(0, SLOTS).boxed().toList()));
    process.after(random.nextInt(200), this::train);
    process.after(random.nextInt(200), this::keepHouse);
  }

  int open() {
    return book.occupancy().open();
  }

  boolean isHome(int slot) {
    return home.contains(slot);
  }

  /** Everything is lent, and nothing of it is used. */
  boolean isEmpty() {
    Occupancy used = book.occupancy();
    return used.lent() + home.size() == SLOTS && used.open() == used.lent();
  }

  @Override
  public String toString() {
    return id() + " " + book.occupancy() + " home " + home + " holds " + book.holdings();
  }

  /** Whether the bytes are where the book says, or in a file of the node. */
  boolean keeps(Place place, FilledChunk chunk) {
    @Nullable HeldChunk held = inSlots.get(place);
    if (held != null) {
      return memory[held.slot()] == chunk.checksum();
    }
    @Nullable Integer host = elsewhere.containsKey(place) ? hostMemory.get(place) : null;
    @Nullable Integer kept = host == null ? nodeFiles.get(place) : host;
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

  void on(LeaseEvent event) {
    process.note(event.toString());
    if (event instanceof LeaseEvent.EpochBegun begun) {
      world.truth.begins(this, begun.group(), begun.epoch());
    } else if (event instanceof LeaseRequest.Claim claim) {
      world.truth.begins(this, claim.id().checkpoint().group(), claim.id().checkpoint().epoch());
    }
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
    elsewhere.clear();
    for (Holding holding : book.holdings()) {
      for (HeldChunk held : holding.inSlots()) {
        inSlots.put(new Place(holding.id(), held.chunk().position()), held);
      }
      for (FilledChunk chunk : holding.elsewhere()) {
        elsewhere.put(new Place(holding.id(), chunk.position()), chunk);
      }
    }
  }

  private void carryOut(LeaseAction action, Occupancy before) {
    process.note("  -> " + action);
    if (action instanceof LeaseAction.Tell tell) {
      world.truth.tells(this, tell.answer(), before);
      world.answer(tell.holder(), tell.answer());
      dropWhatExpires(tell.answer());
    } else if (action instanceof LeaseAction.Verify verify) {
      process.after(1 + random.nextInt(40), () -> verify(verify));
    } else if (action instanceof LeaseAction.MoveOrDrop move) {
      process.after(1 + random.nextInt(150), () -> move(move));
    } else if (action instanceof LeaseAction.Read read && !read.chunks().isEmpty()) {
      flush(read);
    } else if (action instanceof LeaseAction.Free free) {
      free.slots().forEach(slot -> world.truth.frees(this, slot));
      free.slots().forEach(slot -> memory[slot] = 0);
    } else if (action instanceof LeaseAction.Return back) {
      back.slots().forEach(slot -> world.truth.returns(this, slot));
      back.slots().forEach(slot -> memory[slot] = trainerWrites++);
      home.addAll(back.slots());
      world.truth.count("taken back");
    } else if (action instanceof LeaseAction.Over over) {
      hostMemory.keySet().removeIf(place -> place.id().equals(over.id()));
    } else if (action instanceof LeaseAction.Withdraw withdraw
        && !world.breaks(Mutation.WITHDRAWS_SILENTLY)) {
      world.truth.withdraws(this, withdraw.checkpoint(), withdraw.rank());
    } else if (action instanceof LeaseAction.WakeAt wake) {
      long millis = Math.max(0, wake.nanos() / 1_000_000 - world.time.nowMillis());
      process.after(millis, () -> on(new LeaseEvent.Clock()));
    }
  }

  private void dropWhatExpires(LeaseAnswer answer) {
    if (world.breaks(Mutation.FREES_AT_EXPIRY) && answer instanceof LeaseAnswer.Granted granted) {
      long millis = SharingWorld.TERMS.fillNanos() / 1_000_000;
      process.after(millis, () -> on(new LeaseRequest.Release(granted.id())));
    }
  }

  private void verify(LeaseAction.Verify verify) {
    List<Integer> whole = new ArrayList<>();
    List<Integer> damaged = new ArrayList<>();
    for (HeldChunk held : verify.chunks()) {
      boolean same = memory[held.slot()] == held.chunk().checksum();
      boolean approved = same || world.breaks(Mutation.APPROVES_ALL);
      (approved ? whole : damaged).add(held.chunk().position());
    }
    on(new LeaseEvent.Verified(verify.id(), whole, damaged));
  }

  private void move(LeaseAction.MoveOrDrop move) {
    List<Integer> moved = new ArrayList<>();
    List<Integer> dropped = new ArrayList<>();
    for (HeldChunk held : move.chunks()) {
      int position = held.chunk().position();
      boolean room = random.nextInt(4) > 0;
      (room ? moved : dropped).add(position);
      if (room && !world.breaks(Mutation.MOVES_NOTHING)) {
        hostMemory.put(new Place(move.id(), position), memory[held.slot()]);
      }
    }
    world.truth.count("moves");
    on(new LeaseEvent.Moved(move.id(), moved, dropped));
  }

  private void flush(LeaseAction.Read read) {
    read.chunks().forEach(held -> world.truth.reads(this, held.slot(), 1));
    if (world.breaks(Mutation.UNPINS_EARLY)) {
      process.after(0, () -> on(new LeaseEvent.Unpin(read.id())));
    }
    process.after(5 + random.nextInt(200), () -> flushed(read));
  }

  private void flushed(LeaseAction.Read read) {
    for (HeldChunk held : read.chunks()) {
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
      long deadline = world.nanos() + random.nextInt(120) * 1_000_000L;
      on(new LeaseEvent.TakeBack(1 + random.nextInt(SLOTS), deadline));
    } else if (!home.isEmpty()) {
      List<Integer> lent = List.copyOf(home);
      home.clear();
      on(new LeaseEvent.Lend(lent));
    }
    process.after(50 + random.nextInt(500), this::train);
  }

  /** Flushes in the background, and drops what nobody is left to release. */
  private void keepHouse() {
    List<Holding> holdings = book.holdings();
    if (!holdings.isEmpty()) {
      Holding holding = holdings.get(random.nextInt(holdings.size()));
      if (holding.orphaned() && (random.nextInt(3) == 0 || !world.faulty())) {
        world.truth.count("drops of orphans");
        on(new LeaseEvent.Drop(holding.id()));
      } else if (world.faulty() && random.nextInt(12) == 0) {
        on(new LeaseEvent.Drop(holding.id()));
      } else {
        on(new LeaseEvent.Pin(holding.id()));
      }
    }
    process.after(30 + random.nextInt(200), this::keepHouse);
  }
}
