package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.CoordinatorAction.Send;
import io.cairn.core.protocol.Truth.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The true history of the ranks of a group, and the invariants of their coordination. */
final class GroupTruth {
  private record Key(long epoch, long iteration, Level level) {}

  private final int size;
  private final Map<Integer, List<String>> born = new TreeMap<>();
  private final Map<Integer, List<String>> joined = new TreeMap<>();
  private final Map<Long, Map<Integer, String>> members = new HashMap<>();
  private final Map<Long, Optional<CheckpointId>> resumed = new HashMap<>();
  private final Map<Long, Map<Integer, List<Candidate>>> offers = new HashMap<>();
  private final Map<Key, Map<Integer, String>> held = new HashMap<>();
  private final Map<Key, Set<Level>> due = new HashMap<>();
  private final Map<String, Boolean> verified = new HashMap<>();

  /** Attempts that were told so; a late join of one is answered by a fence again. */
  private final Set<String> over = new HashSet<>();

  private final Set<String> asked = new HashSet<>();
  private final Set<CheckpointId> committing = new HashSet<>();
  private final Set<CheckpointId> committed = new HashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private boolean superseded;
  private boolean mayFence;

  GroupTruth(int size) {
    this.size = size;
  }

  /** How often what happened, by name. */
  Map<String, Integer> counts() {
    return counts;
  }

  void born(int rank, String incarnation) {
    born.computeIfAbsent(rank, k -> new ArrayList<>()).add(incarnation);
  }

  /** Only one that never arrived before may replace a member. */
  void joinArrives(int rank, String incarnation) {
    List<String> known = joined.computeIfAbsent(rank, k -> new ArrayList<>());
    mayFence = !known.contains(incarnation);
    if (mayFence) {
      known.add(incarnation);
    } else {
      count("joins again");
    }
  }

  void taken(long epoch) {
    superseded = false;
    count("epochs");
    require(members.put(epoch, new TreeMap<>()) == null, "epoch " + epoch + " was taken twice");
  }

  void superseded() {
    superseded = true;
  }

  void offers(long epoch, int rank, List<Candidate> candidates) {
    offers.computeIfAbsent(epoch, k -> new HashMap<>()).putIfAbsent(rank, candidates);
  }

  void verified(String incarnation, CheckpointId id, boolean whole) {
    verified.put(incarnation + " " + id, whole);
  }

  void holds(long epoch, long iteration, Level level, int rank, String incarnation) {
    held.computeIfAbsent(new Key(epoch, iteration, level), k -> new HashMap<>())
        .put(rank, incarnation);
  }

  /** A rank comes to an iteration: who is not in doubt holds the same for due as all others. */
  void due(long epoch, long iteration, FollowedCadence.Due due) {
    if (due.inDoubt()) {
      count("in doubt");
      return;
    }
    Set<Level> before = this.due.putIfAbsent(new Key(epoch, iteration, Level.DEVICE), due.levels());
    require(
        before == null || before.equals(due.levels()),
        "iteration " + iteration + " of epoch " + epoch + " is due at " + before + " and " + due);
  }

  void commits(CheckpointManifest manifest) {
    CheckpointId id = manifest.id();
    require(committing.add(id), id.label() + " is committed twice");
    require(manifest.coversGroup(), id.label() + " is committed without all ranks");
    requireHeld(new Key(id.epoch(), id.iteration(), Level.STORE));
    require(
        manifest.containers().size() == 2 * manifest.size(),
        id.label() + " is committed without all containers of each rank");
    manifest.containers().forEach(container -> requireOfEpoch(id, container.file()));
    Optional<CheckpointId> base =
        Optional.ofNullable(resumed.get(id.epoch())).orElse(Optional.empty());
    require(
        base.isEmpty() || manifest.ancestry().contains(base.get()),
        id.label() + " does not name the line that its epoch resumes");
    manifest
        .parent()
        .ifPresent(
            parent ->
                require(
                    parent.id().compareTo(id) < 0,
                    id.label() + " follows " + parent.id().label() + ", which is newer"));
  }

  private void requireOfEpoch(CheckpointId id, String file) {
    String incarnation = file.substring("writer-".length(), file.indexOf(".chunks"));
    require(
        members.getOrDefault(id.epoch(), Map.of()).containsValue(incarnation),
        id.label() + " contains data of " + incarnation + ", which is no member of its epoch");
  }

  void committed(CheckpointId id, CommitOutcome outcome) {
    count(outcome.getClass().getSimpleName());
    if (outcome instanceof CommitOutcome.Committed) {
      committed.add(id);
    }
  }

  /** Checks a message of the coordinator. */
  void sent(Send send, long epoch) {
    CoordinatorMessage message = send.message();
    count(message.getClass().getSimpleName());
    if (message instanceof CoordinatorMessage.Joined joined) {
      String before =
          members
              .computeIfAbsent(joined.epoch(), k -> new TreeMap<>())
              .putIfAbsent(send.rank(), send.incarnation());
      require(
          before == null || before.equals(send.incarnation()),
          "rank " + send.rank() + " of epoch " + joined.epoch() + " is two attempts");
    } else if (message instanceof CoordinatorMessage.Fenced) {
      fenced(send, epoch);
    } else if (message instanceof CoordinatorMessage.Refused) {
      over.add(send.incarnation());
    } else if (message instanceof CoordinatorMessage.Verify verify) {
      require(
          asked.add(send.incarnation() + " " + verify),
          send.incarnation() + " is asked twice to verify " + verify.id().label());
    } else if (message instanceof CoordinatorMessage.Resume resume) {
      resumes(resume);
    } else if (message instanceof CoordinatorMessage.Settled settled
        && settled.outcome() instanceof Outcome.Sealed) {
      sealed(settled);
    } else if (message instanceof CoordinatorMessage.CadenceDecided decided) {
      count(decided.adopted() ? "plan adopted" : "plan withdrawn");
    }
  }

  private void fenced(Send send, long epoch) {
    boolean member = members.getOrDefault(epoch, Map.of()).containsValue(send.incarnation());
    boolean news = over.add(send.incarnation());
    require(
        !member || !news || superseded || mayFence,
        send.incarnation() + " is fenced by a join that was known before");
  }

  private void resumes(CoordinatorMessage.Resume resume) {
    Optional<CheckpointId> before = resumed.putIfAbsent(resume.epoch(), resume.id());
    require(
        before == null || before.equals(resume.id()),
        "ranks of epoch " + resume.epoch() + " resume from " + before + " and " + resume.id());
    Map<Integer, List<Candidate>> offered = offers.getOrDefault(resume.epoch(), Map.of());
    require(offered.size() == size, "epoch " + resume.epoch() + " resumes before all have offered");
    Map<Integer, String> who = members.getOrDefault(resume.epoch(), Map.of());
    Optional<CheckpointId> newest =
        offered.values().stream()
            .flatMap(List::stream)
            .map(Candidate::id)
            .filter(id -> offered.values().stream().allMatch(offer -> contains(offer, id)))
            .filter(
                id ->
                    who.values().stream().allMatch(i -> verified.getOrDefault(i + " " + id, true)))
            .max(Comparator.naturalOrder());
    require(
        newest.equals(resume.id()),
        "epoch " + resume.epoch() + " resumes from " + resume.id() + ", not from " + newest);
    resume
        .id()
        .ifPresent(
            id ->
                require(
                    who.values().stream().allMatch(i -> verified.containsKey(i + " " + id)),
                    id.label() + " was not verified by every rank"));
  }

  private static boolean contains(List<Candidate> offer, CheckpointId id) {
    return offer.stream().anyMatch(candidate -> candidate.id().equals(id));
  }

  private void sealed(CoordinatorMessage.Settled settled) {
    count("sealed at " + settled.level());
    requireHeld(new Key(settled.epoch(), settled.iteration(), settled.level()));
    require(
        settled.level() != Level.STORE
            || committed.stream()
                .anyMatch(
                    id -> id.epoch() == settled.epoch() && id.iteration() == settled.iteration()),
        settled + " without a commit");
  }

  private void requireHeld(Key key) {
    require(
        held.getOrDefault(key, Map.of()).equals(members.get(key.epoch())),
        key + " is sealed with " + held.get(key) + ", members are " + members.get(key.epoch()));
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(otherwise);
    }
  }
}
