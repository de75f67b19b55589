package io.cairn.core.sharing;

import static java.util.stream.Collectors.joining;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What really happened to every slot, and the invariants of leases that follow. Knows nothing of
 * what books think, but what they say.
 */
final class SharingTruth {
  /** An invariant does not hold. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message);
    }
  }

  /** One slot's worth of a lease. */
  record Place(LeaseId id, int position) {
    @Override
    public String toString() {
      return id + " at " + position;
    }
  }

  /** A slot of one receiver. */
  record Slot(String receiver, int number) {}

  private record Promise(SimulatedReceiver receiver, FilledChunk chunk) {}

  private record Captured(String receiver, String holder, CheckpointId checkpoint, int rank) {}

  private final Map<Slot, Place> granted = new HashMap<>();
  private final Set<Place> vacated = new HashSet<>();
  private final Map<LeaseId, Integer> claimed = new HashMap<>();
  private final Map<Place, Integer> planned = new HashMap<>();
  private final Map<Place, Integer> inFlight = new HashMap<>();
  private final Map<Place, FilledChunk> filled = new HashMap<>();
  private final Set<Place> declared = new HashSet<>();
  private final Map<LeaseId, SimulatedProcess> senders = new HashMap<>();
  private final Map<Slot, Integer> readers = new HashMap<>();
  private final Map<Place, Promise> promised = new HashMap<>();
  private final Map<String, Map<GroupId, Long>> epochs = new HashMap<>();
  private final Set<Captured> withdrawn = new HashSet<>();
  private final Set<LeaseId> released = new HashSet<>();
  private final Set<LeaseId> dropped = new HashSet<>();
  private final Set<Place> givenUp = new HashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  /** How often what happened, by name. */
  Map<String, Integer> counts() {
    return counts;
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  void claims(SimulatedProcess sender, LeaseId id, int chunks) {
    senders.put(id, sender);
    claimed.put(id, chunks);
  }

  /** A copy that has yet to begin: it never does if the process dies. */
  void plansWrite(Place place) {
    planned.merge(place, 1, Integer::sum);
  }

  /** A copy begins, and lands whatever becomes of its process. */
  void beginsWrite(Place place) {
    planned.merge(place, -1, Integer::sum);
    inFlight.merge(place, 1, Integer::sum);
  }

  void landsWrite(Place place, Slot slot) {
    inFlight.merge(place, -1, Integer::sum);
    require(
        place.equals(granted.get(slot)),
        slot,
        "is written for",
        place,
        "but is",
        granted.get(slot));
    count(promised.containsKey(place) ? "rewritten" : "written");
  }

  /** The sender says that it writes there no more. */
  void declares(LeaseId id, int position) {
    declared.add(new Place(id, position));
  }

  /** The sender says that this is in the slot now. */
  void fills(LeaseId id, FilledChunk chunk) {
    declares(id, chunk.position());
    filled.put(new Place(id, chunk.position()), chunk);
  }

  /** The sender drops what it had here, and asks for nothing of it any more. */
  void drops(LeaseId id) {
    dropped.add(id);
    promised.keySet().removeIf(place -> place.id().equals(id));
  }

  /** The same for one slot. */
  void drops(LeaseId id, int position) {
    declares(id, position);
    givenUp.add(new Place(id, position));
    promised.remove(new Place(id, position));
  }

  private boolean mayWrite(Place place) {
    @Nullable SimulatedProcess sender = senders.get(place.id());
    boolean alive = sender != null && sender.alive();
    return inFlight.getOrDefault(place, 0) > 0
        || (alive && (planned.getOrDefault(place, 0) > 0 || !declared.contains(place)));
  }

  void begins(SimulatedReceiver receiver, GroupId group, long epoch) {
    epochs.computeIfAbsent(receiver.id(), k -> new HashMap<>()).merge(group, epoch, Math::max);
  }

  /** A receiver speaks. */
  void tells(SimulatedReceiver receiver, LeaseAnswer answer, Occupancy before) {
    LeaseId id = answer.id();
    count(answer.getClass().getSimpleName());
    if (answer instanceof LeaseAnswer.Granted given) {
      requireCurrent(receiver, id);
      grants(receiver, given, before);
    } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
      requireCurrent(receiver, id);
      acknowledged.positions().forEach(p -> acknowledges(receiver, new Place(id, p)));
    } else if (answer instanceof LeaseAnswer.Released) {
      released.add(id);
    }
  }

  private void requireCurrent(SimulatedReceiver receiver, LeaseId id) {
    long epoch =
        epochs.getOrDefault(receiver.id(), Map.of()).getOrDefault(id.checkpoint().group(), 0L);
    require(id.checkpoint().epoch() >= epoch, id, "counts in epoch", epoch);
  }

  private void grants(SimulatedReceiver receiver, LeaseAnswer.Granted given, Occupancy before) {
    LeaseId id = given.id();
    require(claimed.containsKey(id), id, "is granted, and nobody claimed it");
    require(given.slots().size() <= claimed.getOrDefault(id, 0), id, "is granted too much");
    require(!released.contains(id), id, "is granted after its release");
    boolean news = false;
    for (int position = 0; position < given.slots().size(); position++) {
      Place place = new Place(id, position);
      Slot slot = new Slot(receiver.id(), given.slots().get(position));
      @Nullable Place now = granted.get(slot);
      if (!place.equals(now) && !vacated.contains(place)) {
        news = true;
        require(now == null, slot, "is granted for", place, "but is", now);
        require(!receiver.isHome(slot.number()), slot, "is granted, but is the trainer's");
        granted.put(slot, place);
      }
    }
    require(
        !news || before.quarantined() < SharingWorld.QUOTA,
        id,
        "is granted with",
        before.quarantined(),
        "in quarantine");
    require(
        !news || !withdrawn.contains(captured(receiver, id)),
        id,
        "is captured again under an old id");
  }

  private static Captured captured(SimulatedReceiver receiver, LeaseId id) {
    return new Captured(receiver.id(), id.holder(), id.checkpoint(), id.rank());
  }

  private void acknowledges(SimulatedReceiver receiver, Place place) {
    @Nullable FilledChunk chunk = filled.get(place);
    require(chunk != null, place, "is acknowledged, and was never filled");
    if (chunk != null && !dropped.contains(place.id()) && !givenUp.contains(place)) {
      promised.put(place, new Promise(receiver, chunk));
    }
  }

  void frees(SimulatedReceiver receiver, int number) {
    Slot slot = new Slot(receiver.id(), number);
    @Nullable Place place = granted.remove(slot);
    require(place != null, slot, "is freed, and was free");
    require(readers.getOrDefault(slot, 0) == 0, slot, "is freed while it is read");
    if (place != null) {
      require(!mayWrite(place), slot, "is freed while", place, "may still write");
      vacated.add(place);
    }
  }

  void returns(SimulatedReceiver receiver, int number) {
    Slot slot = new Slot(receiver.id(), number);
    require(!granted.containsKey(slot), slot, "is returned, but is", granted.get(slot));
  }

  void reads(SimulatedReceiver receiver, int number, int more) {
    readers.merge(new Slot(receiver.id(), number), more, Integer::sum);
  }

  void withdraws(SimulatedReceiver receiver, CheckpointId checkpoint, int rank) {
    List<Place> places = new ArrayList<>(promised.keySet());
    for (Place place : places) {
      @Nullable Promise promise = promised.get(place);
      boolean its = place.id().checkpoint().equals(checkpoint) && place.id().rank() == rank;
      if (its && promise != null && promise.receiver() == receiver) {
        promised.remove(place);
        withdrawn.add(captured(receiver, place.id()));
        count("withdrawn chunks");
      }
    }
  }

  /** Its memory is gone, and what it promised with it; its own copies have landed or never will. */
  void dies(SimulatedReceiver receiver) {
    promised.values().removeIf(promise -> promise.receiver() == receiver);
    granted.keySet().removeIf(slot -> slot.receiver().equals(receiver.id()));
  }

  /** What holds between any two events. */
  void check() {
    promised.forEach(
        (place, promise) ->
            require(
                promise.receiver().keeps(place, promise.chunk()),
                place,
                "was acknowledged by",
                promise.receiver().id(),
                "and is nowhere, without a word"));
  }

  /** Otherwise what these words say is so. */
  void require(boolean holds, @Nullable Object... otherwise) {
    if (!holds) {
      throw new Violation(Stream.of(otherwise).map(String::valueOf).collect(joining(" ")));
    }
  }
}
