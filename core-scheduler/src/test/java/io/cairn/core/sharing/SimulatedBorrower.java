package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One attempt of one rank: reports what does not fit, claims what it is told to, writes and fills,
 * keeps its last checkpoints, and releases the others. What is not answered is sent again.
 */
final class SimulatedBorrower {
  private static final int AGAIN_MILLIS = 80;
  private static final int KEPT = 2;
  private static final int PATIENCE = 12;

  private final Member member;
  private final long epoch;
  private final SimulatedHolder holder;
  private final SharingWorld world;
  private final Random random;
  private final List<SimulatedLease> leases = new ArrayList<>();
  private Optional<DeskMessage.Report> unanswered = Optional.empty();
  private int asked;
  private long iteration;
  private boolean training = true;

  SimulatedBorrower(Member member, long epoch, SimulatedHolder holder, SharingWorld world) {
    this.member = member;
    this.epoch = epoch;
    this.holder = holder;
    this.world = world;
    this.random = world.random;
  }

  SimulatedHolder holder() {
    return holder;
  }

  void train() {
    holder.process.after(random.nextInt(100), this::step);
    holder.process.after(AGAIN_MILLIS, this::again);
  }

  private void step() {
    if (training) {
      if (unanswered.isEmpty()) {
        iteration = world.groups().next(member.group(), iteration);
        retain();
        report();
      }
      holder.process.after(60 + random.nextInt(300), this::step);
    }
  }

  private void report() {
    int remainder = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(8);
    DeskMessage.Report report =
        new DeskMessage.Report(
            member,
            epoch,
            iteration,
            holder.process.name,
            remainder,
            holder.lender.spare(),
            SharingWorld.CHUNK_BYTES);
    unanswered = Optional.of(report);
    asked = 0;
    world.toDesk(report);
  }

  private void again() {
    // a desk that never answers is not waited for: all goes to the host
    unanswered = unanswered.filter(report -> ++asked < PATIENCE);
    unanswered.ifPresent(world::toDesk);
    leases.forEach(SimulatedLease::again);
    leases.removeIf(SimulatedLease::over);
    holder.process.after(AGAIN_MILLIS, this::again);
  }

  private void retain() {
    leases.stream()
        .filter(lease -> lease.id().checkpoint().iteration() <= iteration - KEPT)
        .forEach(SimulatedLease::close);
  }

  void hear(PlanAnswer answer) {
    if (unanswered.isEmpty()
        || !unanswered.get().checkpoint().equals(answer.checkpoint())
        || answer.rank() != member.rank()) {
      return;
    }
    unanswered = Optional.empty();
    if (answer instanceof PlanAnswer.Refused) {
      end();
    } else if (answer instanceof PlanAnswer.Part part && training) {
      int chunk = 0;
      for (PlanAnswer.PlannedLease planned : part.leases()) {
        borrow(part.checkpoint(), planned, chunk);
        chunk += planned.chunks();
      }
    }
  }

  private void borrow(CheckpointId checkpoint, PlanAnswer.PlannedLease planned, int firstChunk) {
    LeaseId id = new LeaseId(holder.process.name, holder.nextNonce(), checkpoint, member.rank());
    SimulatedLease lease = new SimulatedLease(id, planned, firstChunk, holder.process, world);
    leases.add(lease);
    lease.claim();
  }

  void hear(LeaseAnswer answer) {
    leases.stream()
        .filter(lease -> lease.id().equals(answer.id()))
        .forEach(lease -> lease.hear(answer));
  }

  void vacate(LeaseId id) {
    leases.stream().filter(lease -> lease.id().equals(id)).forEach(SimulatedLease::close);
  }

  /** The group goes on without this attempt: what is whole stays a while, for it to go back to. */
  void end() {
    if (training) {
      holder.process.note(member + " of epoch " + epoch + " ends");
      training = false;
      leases.stream().filter(lease -> !lease.whole()).forEach(SimulatedLease::close);
      holder.process.after(random.nextInt(600), () -> leases.forEach(SimulatedLease::close));
    }
  }
}
