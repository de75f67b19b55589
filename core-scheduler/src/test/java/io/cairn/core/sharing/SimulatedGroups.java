package io.cairn.core.sharing;

import io.cairn.GroupId;
import io.cairn.Member;
import java.util.ArrayList;
import java.util.List;

/** A coupled group and groups of one; each begins a later epoch whenever a rank is lost. */
final class SimulatedGroups {
  private static final class Group {
    final GroupId id;
    final int size;
    final List<SimulatedBorrower> ranks = new ArrayList<>();
    long epoch;
    long iteration;
    boolean starting;

    Group(String name, int size) {
      this.id = new GroupId("job", name);
      this.size = size;
    }
  }

  private final SharingWorld world;
  private final List<Group> groups =
      List.of(new Group("ring", 3), new Group("fold-0", 1), new Group("fold-1", 1));

  SimulatedGroups(SharingWorld world) {
    this.world = world;
  }

  long epoch(GroupId id) {
    return groups.stream().filter(g -> g.id.equals(id)).mapToLong(g -> g.epoch).sum();
  }

  /** The iteration that a rank checkpoints next: ranks of a group go on together, more or less. */
  long next(GroupId id, long done) {
    Group group = groups.stream().filter(g -> g.id.equals(id)).findFirst().orElseThrow();
    group.iteration = Math.max(group.iteration, done + 1);
    return group.iteration;
  }

  void startAll() {
    groups.forEach(this::restart);
  }

  /** Any group goes back, with nothing lost. */
  void rollBack() {
    restart(groups.get(world.random.nextInt(groups.size())));
  }

  void lost(SimulatedHolder holder) {
    for (Group group : groups) {
      if (group.ranks.stream().anyMatch(rank -> rank.holder() == holder)) {
        restart(group);
      }
    }
  }

  private void restart(Group group) {
    if (!group.starting) {
      group.starting = true;
      world.time.after(1 + world.random.nextInt(100), () -> start(group));
    }
  }

  private void start(Group group) {
    List<SimulatedHolder> running = world.running();
    if (running.isEmpty()) {
      world.time.after(50, () -> start(group));
      return;
    }
    group.starting = false;
    group.iteration = world.random.nextInt(3);
    group.epoch += 1 + world.random.nextInt(2);
    world.truth.count("epochs");
    group.ranks.forEach(old -> world.fence(old, group.epoch));
    group.ranks.clear();
    int first = world.random.nextInt(running.size());
    for (int rank = 0; rank < group.size; rank++) {
      SimulatedHolder holder = running.get((first + rank) % running.size());
      Member member = new Member(group.id, rank, group.size);
      SimulatedBorrower borrower = new SimulatedBorrower(member, group.epoch, holder, world);
      group.ranks.add(borrower);
      holder.hosts(borrower);
      borrower.train();
    }
  }
}
