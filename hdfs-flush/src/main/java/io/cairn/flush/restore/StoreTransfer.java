package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.commit.GroupTransfer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ContainerCopy;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies checkpoints of STORE to another store, with the containers that they lean on. A training
 * can resume from the copies alone. Not thread-safe, but safe beside a training and its retention,
 * and beside other transfers.
 */
public final class StoreTransfer {
  /*
   * Order
   * -----
   * Checkpoints are listed before epochs, so the epochs of all of them are brought first. Older
   * checkpoints are copied before newer ones, and holders before the containers that lean on them.
   * Each container is read back before its manifest is published, which is the last step and is
   * exclusive. A transfer that dies leaves containers without a manifest. The next one writes them
   * again, since nothing shows that they are durable, whole or not.
   *
   * Nothing is replaced
   * -------------------
   * A checkpoint that is there with another manifest stays as it is, and so does a container that a
   * manifest there needs. Only a container that no manifest there needs gives way to another one,
   * in one step. It was left by a transfer that died.
   */
  private static final Logger LOG = LoggerFactory.getLogger(StoreTransfer.class);
  private static final String COPIED = "-copied-";
  private static final String SUFFIX = ".chunks";

  private final CheckpointStore from;
  private final CheckpointStore to;
  private final LongConsumer progress;
  private final GroupTransfer groups;

  /** Files that are whole and durable in the other store. */
  private final Set<String> there = new HashSet<>();

  /** Files of checkpoints that were there, of which only the length was looked at. */
  private final Set<String> skipped = new HashSet<>();

  /**
   * Copies from one store to another.
   *
   * @param to open for writing
   * @param progress receives the bytes of containers as they are copied, or found to be there
   */
  public StoreTransfer(CheckpointStore from, CheckpointStore to, LongConsumer progress) {
    this.from = from;
    this.to = to;
    this.progress = progress;
    this.groups = new GroupTransfer(from, to);
  }

  /** The state of a checkpoint in the other store after a transfer. */
  public enum State {
    /** It was copied. */
    COPIED,
    /** It was there, and the same. */
    PRESENT,
    /** It was deleted from the source meanwhile, as by the retention of a training. */
    GONE,
    /** It was not copied. */
    REFUSED
  }

  /**
   * The result for one checkpoint.
   *
   * @param bytes of its containers
   * @param reason why it was not copied; else empty
   */
  public record Result(CheckpointId id, State state, long bytes, String reason) {
    private boolean isThere() {
      return state == State.COPIED || state == State.PRESENT;
    }
  }

  /**
   * The checkpoints of a group that are to be copied.
   *
   * @param chosen oldest first
   * @param refused those that would be chosen, and cannot be read
   */
  public record Plan(GroupId group, List<CheckpointManifest> chosen, List<Result> refused) {
    /** Copies the lists. */
    public Plan {
      chosen = List.copyOf(chosen);
      refused = List.copyOf(refused);
    }

    /** Bytes of all containers, each counted once. */
    public long bytes() {
      return chosen.stream()
          .flatMap(manifest -> files(manifest).stream())
          .distinct()
          .mapToLong(Holder::bytes)
          .sum();
    }
  }

  /**
   * Chooses the checkpoints of a group that count, or a single one.
   *
   * @param only the single one, whether it counts or not
   * @throws IOException if the group cannot be listed
   * @throws IllegalArgumentException if the group has no such checkpoint
   */
  public static Plan plan(CheckpointStore from, GroupId group, Optional<CheckpointId> only)
      throws IOException {
    Inventory.Listing listing = Inventory.list(from, group);
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    listing.manifests().forEach(each -> manifests.put(each.id(), each.ancestry()));
    Collection<CheckpointId> wanted = only.map(List::of).orElse(Lineage.alive(manifests));
    List<CheckpointManifest> chosen = new ArrayList<>();
    List<Result> refused = new ArrayList<>();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      boolean ofGroup = stored.parts().size() == 1 && stored.coversGroup();
      if (wanted.contains(stored.id()) && ofGroup) {
        chosen.add(stored.parts().get(0));
      } else if (wanted.contains(stored.id())) {
        refused.add(refused(stored.id(), "has no manifest of the whole group, as at NODE"));
      }
    }
    for (Inventory.Problem problem : listing.problems()) {
      // one without a readable manifest may count
      if (only.isEmpty() ? !isDead(problem, wanted) : wanted.contains(problem.id())) {
        refused.add(refused(problem.id(), problem.reason()));
      }
    }
    if (only.isPresent() && chosen.isEmpty() && refused.isEmpty()) {
      throw new IllegalArgumentException(only.get() + " is not in " + from.describe());
    }
    return new Plan(group, chosen, refused);
  }

  private static boolean isDead(Inventory.Problem problem, Collection<CheckpointId> alive) {
    return problem.manifest().isPresent() && !alive.contains(problem.id());
  }

  private static Result refused(CheckpointId id, String reason) {
    return new Result(id, State.REFUSED, 0, reason);
  }

  /**
   * Copies the checkpoints of a plan. One that is damaged in the source is refused, and the others
   * are copied all the same.
   *
   * @return one result for each, oldest first, and those that the plan refused
   * @throws IOException if a store fails otherwise; a later transfer goes on
   */
  public List<Result> run(Plan plan) throws IOException {
    List<Result> results = new ArrayList<>(plan.refused());
    if (plan.chosen().isEmpty()) {
      return results;
    }
    Optional<String> conflict = groups.begin(plan.group());
    for (CheckpointManifest manifest : plan.chosen()) {
      results.add(
          conflict.isPresent() ? refused(manifest.id(), conflict.get()) : attempt(manifest));
    }
    results.sort(Comparator.comparing(Result::id));
    Optional<CheckpointId> newest =
        results.stream().filter(Result::isThere).map(Result::id).max(Comparator.naturalOrder());
    if (newest.isPresent()) {
      groups.end(newest.get());
    }
    return results;
  }

  private Result attempt(CheckpointManifest manifest) throws IOException {
    try {
      State state = copy(manifest);
      return new Result(manifest.id(), state, manifest.bytes(), "");
    } catch (IOException e) {
      if (!CopyHealth.isDamage(e)) {
        throw e;
      }
      LOG.debug("{} cannot be copied", manifest.id(), e);
      boolean gone = new ManifestCommit(from).published(manifest.id()).isEmpty();
      String reason = String.valueOf(e.getMessage());
      return gone
          ? new Result(manifest.id(), State.GONE, 0, "was deleted meanwhile")
          : refused(manifest.id(), reason);
    }
  }

  private State copy(CheckpointManifest manifest) throws IOException {
    ManifestCommit commit = new ManifestCommit(to);
    Optional<Digest> published = commit.published(manifest.id());
    if (published.isPresent() && !published.get().equals(ManifestCodec.digest(manifest))) {
      String file = to.describe() + "/" + StoreNames.file(manifest.id(), StoreNames.MANIFEST);
      throw new FormatException(file, 0, "is there with other content, and is not replaced");
    }
    if (published.isPresent() && isComplete(manifest)) {
      files(manifest).forEach(file -> skip(manifest.id().group(), file));
    } else {
      for (Holder file : files(manifest)) {
        bring(manifest.id().group(), file);
      }
    }
    Inventory.requireContainers(to, manifest);
    groups.measurements(manifest.id());
    if (published.isPresent()) {
      commit.settle(manifest.id()); // its publisher may have died
      return State.PRESENT;
    }
    CommitOutcome outcome = commit.commit(manifest, StoreNames.MANIFEST);
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException(
          "the manifest of %s could not be published in %s: %s; copy again"
              .formatted(manifest.id(), to.describe(), outcome));
    }
    return State.COPIED;
  }

  private boolean isComplete(CheckpointManifest manifest) {
    try {
      Inventory.requireContainers(to, manifest);
      return true;
    } catch (IOException e) {
      LOG.info("{} is incomplete in {}", manifest.id(), to.describe(), e);
      return false;
    }
  }

  /** The containers of a manifest, each after those that it leans on. */
  private static Set<Holder> files(CheckpointManifest manifest) {
    Set<Holder> files = new LinkedHashSet<>(manifest.holders());
    for (ContainerSummary container : manifest.containers()) {
      files.add(Holder.of(manifest.id(), container));
    }
    return files;
  }

  /** Brings a container, unless this transfer has brought it or a checkpoint there needs it. */
  private void bring(GroupId group, Holder file) throws IOException {
    requireContainer(file);
    String path = StoreNames.file(file.in(group), file.file());
    if (there.contains(path)) {
      return;
    }
    if (!isThere(group, file)) {
      ContainerCopy.write(from, to, group, file, file.file(), progress);
    } else if (isNeeded(group, file)) {
      requireWhole(group, file, ", and a checkpoint there needs it");
      skip(group, file);
    } else {
      supersede(group, file, path);
    }
    there.add(path);
  }

  private void skip(GroupId group, Holder file) {
    if (skipped.add(StoreNames.file(file.in(group), file.file()))) {
      progress.accept(file.bytes());
    }
  }

  private void requireContainer(Holder file) throws FormatException {
    if (!StoreNames.isContainer(file.file())) {
      throw new FormatException(from.describe(), 0, file + " is no container");
    }
  }

  private boolean isThere(GroupId group, Holder file) throws IOException {
    return to.list(StoreNames.checkpoint(file.in(group))).stream()
        .map(StoreEntry::name)
        .anyMatch(file.file()::equals);
  }

  private void requireWhole(GroupId group, Holder file, String why) throws IOException {
    try {
      ContainerCopy.require(to, group, file, file.file());
    } catch (FormatException e) {
      throw new FormatException(e.file(), e.offset(), "is damaged there" + why + ": " + e.reason());
    }
  }

  /**
   * Writes a file beside one that a dead transfer left, and gives it the name. The old one may be
   * whole and not durable. A store without such a step shows only whole and durable files.
   */
  private void supersede(GroupId group, Holder file, String path) throws IOException {
    String stem = file.file().substring(0, file.file().length() - SUFFIX.length()) + COPIED;
    String copy = stem + UUID.randomUUID() + SUFFIX;
    String temporary = StoreNames.file(file.in(group), copy);
    if (!replaces(temporary, path)) {
      requireWhole(group, file, ": delete this file, and copy again");
      skip(group, file);
    } else {
      try {
        ContainerCopy.write(from, to, group, file, copy, progress);
        if (!to.replace(temporary, path)) {
          throw new IOException(to.describe() + " does not replace " + path);
        }
      } catch (IOException | RuntimeException e) {
        discard(temporary, e);
        throw e;
      }
    }
    discard(file.in(group), stem);
  }

  /** Whether the other store replaces files; asked before a container is sent, maybe in vain. */
  private boolean replaces(String absent, String path) throws IOException {
    try {
      return to.replace(absent, path);
    } catch (NoSuchFileException e) {
      LOG.trace("{} replaces files", to.describe(), e);
      return true;
    }
  }

  private void discard(String path, Exception cause) {
    try {
      to.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Deletes what transfers left that died before they gave their file its name. */
  private void discard(CheckpointId id, String stem) throws IOException {
    for (StoreEntry entry : to.list(StoreNames.checkpoint(id))) {
      if (entry.name().startsWith(stem)) {
        to.delete(StoreNames.file(id, entry.name()));
      }
    }
  }

  private boolean isNeeded(GroupId group, Holder file) throws IOException {
    return Inventory.list(to, group)
        .manifests()
        .flatMap(manifest -> files(manifest).stream())
        .anyMatch(each -> each.in(group).equals(file.in(group)) && each.file().equals(file.file()));
  }
}
