package io.cairn.core.sharing;

import static java.util.stream.Collectors.joining;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
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

  /** A slot of one lender. */
  record Slot(String lender, int number) {}

  private record Promise(SimulatedLender lender, FilledChunk chunk) {}

  private record Captured(String lender, String holder, CheckpointId checkpoint, int rank) {}

  private final Map<Slot, Place> granted = new HashMap<>();
  private final Set<Place> vacated = new HashSet<>();
  private final Map<LeaseId, Integer> claimed = new HashMap<>();
  private final Map<Place, Integer> planned = new HashMap<>();
  private final Map<Place, Integer> inFlight = new HashMap<>();
  private final Map<Place, FilledChunk> filled = new HashMap<>();
  private final Set<Place> declared = new HashSet<>();
  private final Map<LeaseId, SimulatedProcess> borrowers = new HashMap<>();
  private final Map<Slot, Integer> readers = new HashMap<>();
  private final Map<Place, Promise> promised = new HashMap<>();
  private final Map<String, Map<GroupId, Long>> epochs = new HashMap<>();
  private final Set<Captured> withdrawn = new HashSet<>();
  private final Set<LeaseId> released = new HashSet<>();
  private final Set<LeaseId> dropped = new HashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  /** How often what happened, by name. */
  Map<String, Integer> counts() {
    return counts;
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  void claims(SimulatedProcess borrower, LeaseId id, int chunks) {
    borrowers.put(id, borrower);
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

  /** The borrower says that it writes there no more. */
  void declares(LeaseId id, int position) {
    declared.add(new Place(id, position));
  }

  /** The borrower says that this is in the slot now. */
  void fills(LeaseId id, FilledChunk chunk) {
    declares(id, chunk.position());
    filled.put(new Place(id, chunk.position()), chunk);
  }

  /** The borrower drops what it had here, and asks for nothing of it any more. */
  void drops(LeaseId id) {
    dropped.add(id);
    promised.keySet().removeIf(place -> place.id().equals(id));
  }

  private boolean mayWrite(Place place) {
    @Nullable SimulatedProcess borrower = borrowers.get(place.id());
    boolean alive = borrower != null && borrower.alive();
    return inFlight.getOrDefault(place, 0) > 0
        || (alive && (planned.getOrDefault(place, 0) > 0 || !declared.contains(place)));
  }

  void begins(SimulatedLender lender, GroupId group, long epoch) {
    epochs.computeIfAbsent(lender.id(), k -> new HashMap<>()).merge(group, epoch, Math::max);
  }

  /** A lender speaks. */
  void sends(SimulatedLender lender, LeaseAnswer answer, Occupancy before) {
    LeaseId id = answer.id();
    count(answer.getClass().getSimpleName());
    if (answer instanceof LeaseAnswer.Granted given) {
      requireCurrent(lender, id);
      grants(lender, given, before);
    } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
      requireCurrent(lender, id);
      acknowledged.positions().forEach(p -> acknowledges(lender, new Place(id, p)));
    } else if (answer instanceof LeaseAnswer.Released) {
      released.add(id);
    }
  }

  private void requireCurrent(SimulatedLender lender, LeaseId id) {
    long epoch =
        epochs.getOrDefault(lender.id(), Map.of()).getOrDefault(id.checkpoint().group(), 0L);
    require(id.checkpoint().epoch() >= epoch, id, "counts in epoch", epoch);
  }

  private void grants(SimulatedLender lender, LeaseAnswer.Granted given, Occupancy before) {
    LeaseId id = given.id();
    require(claimed.containsKey(id), id, "is granted, and nobody claimed it");
    require(given.slots().size() <= claimed.getOrDefault(id, 0), id, "is granted too much");
    require(!released.contains(id), id, "is granted after its release");
    boolean news = false;
    for (int position = 0; position < given.slots().size(); position++) {
      Place place = new Place(id, position);
      Slot slot = new Slot(lender.id(), given.slots().get(position));
      @Nullable Place now = granted.get(slot);
      if (!place.equals(now) && !vacated.contains(place)) {
        news = true;
        require(now == null, slot, "is granted for", place, "but is", now);
        require(!lender.isHome(slot.number()), slot, "is granted, but is in the cache");
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
        !news || !withdrawn.contains(captured(lender, id)),
        id,
        "is captured again under an old id");
  }

  private static Captured captured(SimulatedLender lender, LeaseId id) {
    return new Captured(lender.id(), id.holder(), id.checkpoint(), id.rank());
  }

  private void acknowledges(SimulatedLender lender, Place place) {
    @Nullable FilledChunk chunk = filled.get(place);
    require(chunk != null, place, "is acknowledged, and was never filled");
    if (chunk != null && !dropped.contains(place.id())) {
      promised.put(place, new Promise(lender, chunk));
    }
  }

  void returns(SimulatedLender lender, int number) {
    Slot slot = new Slot(lender.id(), number);
    @Nullable Place place = granted.remove(slot);
    require(!lender.isHome(number), slot, "is returned, and was in the cache");
    require(readers.getOrDefault(slot, 0) == 0, slot, "is returned while it is read");
    if (place != null) {
      require(!mayWrite(place), slot, "is returned while", place, "may still write");
      vacated.add(place);
    }
  }

  void reads(SimulatedLender lender, int number, int more) {
    readers.merge(new Slot(lender.id(), number), more, Integer::sum);
  }

  void withdraws(SimulatedLender lender, CheckpointId checkpoint, int rank) {
    List<Place> places = new ArrayList<>(promised.keySet());
    for (Place place : places) {
      @Nullable Promise promise = promised.get(place);
      boolean its = place.id().checkpoint().equals(checkpoint) && place.id().rank() == rank;
      if (its && promise != null && promise.lender() == lender) {
        promised.remove(place);
        withdrawn.add(captured(lender, place.id()));
        count("withdrawn chunks");
      }
    }
  }

  /** Its memory is gone, and what it promised with it; its own copies have landed or never will. */
  void dies(SimulatedLender lender) {
    promised.values().removeIf(promise -> promise.lender() == lender);
    granted.keySet().removeIf(slot -> slot.lender().equals(lender.id()));
  }

  /** What holds between any two events. */
  void check() {
    promised.forEach(
        (place, promise) ->
            require(
                promise.lender().keeps(place, promise.chunk()),
                place,
                "was acknowledged by",
                promise.lender().id(),
                "and is nowhere, without a word"));
  }

  /** Otherwise what these words say is so. */
  void require(boolean holds, @Nullable Object... otherwise) {
    if (!holds) {
      throw new Violation(Stream.of(otherwise).map(String::valueOf).collect(joining(" ")));
    }
  }
}
