package io.cairn.core.sharing;

import io.cairn.core.sharing.SharingTruth.Place;
import io.cairn.core.sharing.SharingWorld.Mutation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** A borrower's side of one claim, which keeps to what the package asks of borrowers. */
final class SimulatedLease {
  private final LeaseId id;
  private final PlanAnswer.PlannedLease planned;
  private final int firstChunk;
  private final SimulatedProcess process;
  private final SharingWorld world;
  private final Random random;
  private final List<FilledChunk> filled = new ArrayList<>();

  /** Positions that are held, or will never be. */
  private final BitSet settled = new BitSet();

  private final BitSet lost = new BitSet();
  private List<Integer> slots = List.of();
  private long claimedMillis;
  private int writing;
  private boolean answered;
  private boolean closing;
  private boolean releasing;
  private boolean over;

  SimulatedLease(
      LeaseId id,
      PlanAnswer.PlannedLease planned,
      int firstChunk,
      SimulatedProcess process,
      SharingWorld world) {
    this.id = id;
    this.planned = planned;
    this.firstChunk = firstChunk;
    this.process = process;
    this.world = world;
    this.random = world.random;
  }

  LeaseId id() {
    return id;
  }

  boolean over() {
    return over;
  }

  /** Whether every granted position is held. */
  boolean whole() {
    return !slots.isEmpty() && settled.cardinality() == slots.size() && lost.isEmpty();
  }

  void claim() {
    claimedMillis = world.time.nowMillis();
    world.truth.claims(process, id, planned.chunks());
    send(new LeaseRequest.Acquire(id, planned.chunks()));
  }

  private void send(LeaseRequest request) {
    world.request(planned.lender(), request);
  }

  private boolean late() {
    long fillMillis = SharingWorld.TERMS.fillNanos() / 1_000_000;
    return world.time.nowMillis() >= claimedMillis + fillMillis;
  }

  void again() {
    if (releasing) {
      send(new LeaseRequest.Release(id));
    } else if (!answered && late()) {
      close();
    } else if (!answered) {
      send(new LeaseRequest.Acquire(id, planned.chunks()));
    } else if (!filled.isEmpty() && !settled(filled)) {
      send(new LeaseRequest.Filled(id, filled));
    }
  }

  private boolean settled(List<FilledChunk> chunks) {
    return chunks.stream().allMatch(chunk -> settled.get(chunk.position()));
  }

  void hear(LeaseAnswer answer) {
    if (answer instanceof LeaseAnswer.Granted granted) {
      granted(granted.slots());
    } else if (answer instanceof LeaseAnswer.Refused) {
      close();
    } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
      acknowledged.positions().forEach(settled::set);
    } else if (answer instanceof LeaseAnswer.Rejected rejected) {
      loses(rejected.positions());
    } else if (answer instanceof LeaseAnswer.Revoked revoked) {
      loses(revoked.positions());
    } else if (answer instanceof LeaseAnswer.Released && releasing) {
      over = true;
    }
  }

  private void loses(List<Integer> positions) {
    positions.forEach(settled::set);
    positions.forEach(lost::set);
    if (!slots.isEmpty() && lost.cardinality() == slots.size()) {
      close();
    }
  }

  private void granted(List<Integer> given) {
    if (answered || closing) {
      return;
    }
    answered = true;
    slots = given;
    if (late()) {
      close();
      return;
    }
    for (int position = 0; position < slots.size(); position++) {
      write(position);
    }
    if (world.breaks(Mutation.FILLS_EARLY)) {
      fill();
    }
  }

  /** The process may be stopped before the copy begins, and the copy lands when it lands. */
  private void write(int position) {
    Place place = new Place(id, position);
    int slot = slots.get(position);
    boolean damages = world.faulty() && random.nextInt(25) == 0;
    int content = damages ? -1 : checksum(position);
    writing++;
    world.truth.plansWrite(place);
    process.after(
        1 + random.nextInt(120),
        () -> {
          world.truth.beginsWrite(place);
          if (late()) {
            world.truth.count("writes after expiry");
          }
          world.time.after(
              1 + random.nextInt(20), () -> world.land(planned.lender(), place, slot, content));
          process.after(21, this::copied);
        });
  }

  private int checksum(int position) {
    int hash = Objects.hash(id.checkpoint(), id.rank(), firstChunk + position);
    return hash == 0 || hash == -1 ? 1 : hash;
  }

  private void copied() {
    writing--;
    if (writing > 0) {
      return;
    }
    if (closing) {
      release();
    } else {
      fill();
    }
  }

  private void fill() {
    if (releasing || !filled.isEmpty()) {
      return;
    }
    for (int position = 0; position < slots.size(); position++) {
      if (!lost.get(position)) {
        filled.add(new FilledChunk(position, firstChunk + position, 1, checksum(position)));
      }
    }
    filled.forEach(chunk -> world.truth.fills(id, chunk));
    int half = filled.size() / 2;
    if (half > 0) {
      send(new LeaseRequest.Filled(id, filled.subList(0, half)));
    }
    if (!filled.isEmpty()) {
      send(new LeaseRequest.Filled(id, filled.subList(half, filled.size())));
    }
  }

  /** Wants nothing of it any more; its copies end first. */
  void close() {
    closing = true;
    if (writing == 0 || world.breaks(Mutation.RELEASES_EARLY)) {
      release();
    }
  }

  private void release() {
    if (!releasing && !world.breaks(Mutation.NEVER_RELEASES)) {
      releasing = true;
      for (int position = 0; position < planned.chunks(); position++) {
        world.truth.declares(id, position);
      }
      world.truth.drops(id);
      send(new LeaseRequest.Release(id));
    }
  }
}
