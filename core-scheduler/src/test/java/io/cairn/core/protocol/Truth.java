package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.SimulatedFiles.Content;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The true history, which no simulated process sees, and the invariants that follow. Lines are sets
 * of checkpoints, independent of {@link Ancestry}, so that each checks the other.
 */
final class Truth {
  /** An invariant does not hold. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message);
    }
  }

  /** The checkpoints that an attempt that looks now must not fall behind. */
  record Snapshot(TreeSet<CheckpointId> reported, long newestPublished) {}

  private final SimulatedFiles files;
  private final Rules rules;
  private final boolean strict;
  private final Map<Long, String> owners = new HashMap<>();
  private final Map<Long, Set<CheckpointId>> ancestors = new HashMap<>();
  private final TreeSet<CheckpointId> begun = new TreeSet<>();
  private final TreeSet<CheckpointId> reported = new TreeSet<>();
  private final Set<CheckpointId> unknown = new HashSet<>();
  private final Set<Digest> failed = new HashSet<>();
  private final Set<Digest> everPublished = new HashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private long newestPublished;
  private long newestDurable;
  private long checkedVersion = -1;

  /**
   * Watches these files.
   *
   * @param strict whether nothing that was ever reported may be left by a later attempt; if not,
   *     only what the newest reporting epoch reported counts
   */
  Truth(SimulatedFiles files, Rules rules, boolean strict) {
    this.files = files;
    this.rules = rules;
    this.strict = strict;
  }

  /** How often what happened, by name. */
  Map<String, Integer> counts() {
    return counts;
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  Snapshot snapshot() {
    return new Snapshot(new TreeSet<>(reported), newestDurable);
  }

  void taken(long epoch, String attempt) {
    count("epochs taken");
    String other = owners.putIfAbsent(epoch, attempt);
    require(other == null, "epoch " + epoch + " is held by " + other + " and by " + attempt);
  }

  /** An attempt decided on its base, by its view from {@code since} on. */
  void resumed(long epoch, Optional<CheckpointId> base, Snapshot since) {
    count(base.isPresent() ? "resumes" : "fresh starts");
    Set<CheckpointId> line = new TreeSet<>();
    base.ifPresent(
        id -> {
          line.addAll(ancestors.getOrDefault(id.epoch(), Set.of()));
          begun.stream()
              .filter(b -> b.epoch() == id.epoch() && b.iteration() <= id.iteration())
              .forEach(line::add);
        });
    ancestors.put(epoch, line);
    String who = "epoch " + epoch + " resumes from " + base.map(CheckpointId::label).orElse("none");
    for (CheckpointId id : since.reported()) {
      boolean counts = strict || id.epoch() == since.reported().last().epoch();
      require(
          !counts || id.epoch() > epoch || base.filter(b -> b.compareTo(id) >= 0).isPresent(),
          who + ", although " + id.label() + " was reported before");
      require(
          !strict || id.epoch() > epoch || line.contains(id),
          who + " and leaves the line of " + id.label() + ", which was reported before");
    }
    base.ifPresent(id -> require(onLine(id, since.newestPublished()), who + ", which was dead"));
  }

  void begun(CheckpointId id) {
    begun.add(id);
  }

  void ended(CheckpointId id, Digest digest, CommitOutcome outcome) {
    count(outcome.getClass().getSimpleName());
    if (outcome instanceof CommitOutcome.Committed) {
      require(everPublished.contains(digest), id.label() + " is Committed but never was published");
      String path = Paths.manifest(id);
      require(
          files.durable(path) || files.look(path).isEmpty(),
          id.label() + " is Committed, and a crash can undo it");
    } else if (outcome instanceof CommitOutcome.Failed) {
      failed.add(digest);
      published();
    } else {
      unknown.add(id);
    }
  }

  /** An attempt deletes a checkpoint's files, because its own commit ended so. */
  void cleansUp(CheckpointId id) {
    require(!unknown.contains(id), id.label() + " is Unknown, and its files are deleted");
  }

  void reported(CheckpointId id) {
    count("reported");
    reported.add(id);
  }

  /** To be called after every event. */
  void check() {
    if (files.version() != checkedVersion) {
      checkedVersion = files.version();
      checkFiles();
    }
    if (files.durable()) {
      newestDurable = newestPublished;
    }
  }

  private void checkFiles() {
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    Map<CheckpointId, CheckpointManifest> published = published();
    published.forEach((id, manifest) -> manifests.put(id, manifest.ancestry()));
    newestPublished =
        manifests.keySet().stream().mapToLong(CheckpointId::epoch).reduce(newestDurable, Math::max);
    List<CheckpointId> alive = rules.alive(manifests);
    for (CheckpointId id : published.keySet()) {
      boolean counts = alive.contains(id);
      require(
          counts == onLine(id, newestPublished),
          id.label()
              + (counts ? " counts, and is not" : " does not count, and is")
              + " on the line");
      require(
          !counts || whole(published.get(id)) || isOldAndLate(id, alive),
          id.label() + " counts, and containers are missing");
    }
    if (!reported.isEmpty()) {
      requireFound(alive);
    }
  }

  /**
   * A manifest that appears late, when two newer ones are kept. Retention could not know the
   * checkpoints that it needs, so they may be deleted; readers reject it.
   */
  private boolean isOldAndLate(CheckpointId id, List<CheckpointId> alive) {
    return unknown.contains(id) && alive.indexOf(id) >= 2;
  }

  private void requireFound(List<CheckpointId> alive) {
    CheckpointId newest = reported.last();
    require(
        !alive.isEmpty() && alive.get(0).compareTo(newest) >= 0,
        newest.label() + " was reported, and a reader finds " + alive);
    CheckpointId second = reported.lower(newest);
    if (second != null
        && second.epoch() == newest.epoch()
        && alive.get(0).epoch() == newest.epoch()) {
      require(
          alive.stream().filter(id -> id.compareTo(second) >= 0).count() >= 2,
          second.label() + " was reported and is to be kept, and a reader finds " + alive);
    }
  }

  private Map<CheckpointId, CheckpointManifest> published() {
    Map<CheckpointId, CheckpointManifest> published = new TreeMap<>();
    for (String path : files.below("")) {
      if (Paths.isManifest(path)
          && files.look(path).orElseThrow() instanceof Content.Manifest content) {
        CheckpointId id = content.manifest().id();
        published.put(id, content.manifest());
        require(!failed.contains(content.digest()), id.label() + " was Failed and is published");
        if (everPublished.add(content.digest()) && unknown.contains(id)) {
          count("published after Unknown");
        }
      }
    }
    return published;
  }

  private boolean whole(@Nullable CheckpointManifest manifest) {
    if (manifest == null) {
      return false;
    }
    for (ContainerSummary summary : manifest.containers()) {
      String path = manifest.id().directory() + "/" + summary.file();
      if (!(files.look(path).orElse(null) instanceof Content.Container container)
          || !container.needs().stream().allMatch(this::isContainer)) {
        return false;
      }
    }
    return true;
  }

  private boolean isContainer(String path) {
    return files.look(path).orElse(null) instanceof Content.Container;
  }

  private boolean onLine(CheckpointId id, long epoch) {
    return id.epoch() >= epoch || ancestors.getOrDefault(epoch, Set.of()).contains(id);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(otherwise);
    }
  }
}
