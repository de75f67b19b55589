package io.cairn.engine.promotion;

import io.cairn.GroupId;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the copies at NODE that no training needs any more. A group that ended in order has its
 * last checkpoint at STORE; its copies go when another group writes. Copies of other groups go when
 * nothing has changed them for long, by the {@linkplain RestedGroups time of the machine}. No group
 * goes while a process of this node {@linkplain UseLock uses} it. {@link #run} belongs to the
 * thread that writes; the rest is thread-safe.
 */
public final class NodeCleaning {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCleaning.class);
  private static final Duration SWEPT_EVERY = Duration.ofHours(1);

  private final NodeDirectory directory;
  private final CheckpointStore node;
  private final Duration expiry;
  private final Uptime uptime;

  /** Groups that ended in order, with their last epochs. */
  private final Map<GroupId, Long> ended = new ConcurrentHashMap<>();

  /** Of groups with ranks in this process. */
  private final Map<GroupId, UseLock> running = new ConcurrentHashMap<>();

  /** Of these groups, those whose lock could not be taken yet. */
  private final Set<GroupId> unheld = ConcurrentHashMap.newKeySet();

  private Uptime.@Nullable Moment swept;

  /**
   * Nothing has ended yet.
   *
   * @param directory the root of {@code node}
   * @param expiry how long the copies of a group stay unchanged before they go
   */
  public NodeCleaning(
      NodeDirectory directory, CheckpointStore node, Duration expiry, Uptime uptime) {
    this.directory = directory;
    this.node = node;
    this.expiry = expiry;
    this.uptime = uptime;
  }

  /** A rank of a group begins here. */
  void begun(GroupId group) {
    ended.remove(group);
    if (directory.hasFiles()) {
      running.compute(group, (same, lock) -> hold(group, lock));
    }
  }

  /** The lock of a group that is about to write here. The directory may have vanished with it. */
  private @Nullable UseLock hold(GroupId group, @Nullable UseLock before) {
    try {
      node.create(StoreNames.group(group) + "/" + StoreNames.IN_USE).close();
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} was used on this node before", group);
    } catch (IOException e) {
      LOG.debug("{} cannot be marked as used on this node", group, e);
    }
    try {
      UseLock lock = UseLock.hold(directory.path().resolve(StoreNames.group(group)));
      if (before != null) {
        before.close();
      }
      unheld.remove(group);
      return lock;
    } catch (IOException e) {
      if (unheld.add(group)) {
        LOG.warn("Another process of this node may take {} for unused, and delete it", group, e);
      }
      return before;
    }
  }

  /** Takes the locks that could not be taken before. */
  private void holdAgain() {
    for (GroupId group : unheld) {
      running.compute(group, (same, lock) -> unheld.contains(same) ? hold(same, lock) : lock);
    }
    try {
      directory.holdAgain();
    } catch (IOException e) {
      LOG.debug("{} is not known yet", node.describe(), e);
    }
  }

  /** No rank of a group is here any more. */
  void left(GroupId group) {
    UseLock lock = running.remove(group);
    unheld.remove(group);
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        LOG.warn("{} counts as used on this node until this process ends", group, e);
      }
    }
  }

  /** A training ended in order with this epoch, and its last checkpoint is at STORE. */
  void ended(GroupId group, long epoch) {
    left(group);
    ended.put(group, epoch);
  }

  /** Deletes what is not needed, before a group writes. A failure is logged, and tried again. */
  void run(GroupId writing) {
    holdAgain();
    ended.forEach(
        (group, epoch) -> {
          if (!group.equals(writing) && delete(group, epoch)) {
            ended.remove(group, epoch);
          }
        });
    Uptime.Moment now = uptime.now();
    if (directory.hasFiles() && (swept == null || isDue(swept, now))) {
      swept = now;
      try {
        sweep(now);
      } catch (IOException e) {
        LOG.warn("Old checkpoints at {} could not be deleted", node.describe(), e);
      }
    }
  }

  private static boolean isDue(Uptime.Moment last, Uptime.Moment now) {
    return now.after(last).compareTo(SWEPT_EVERY) >= 0;
  }

  /** Deletes a group, unless a later epoch of it began on this node. */
  private boolean delete(GroupId group, long epoch) {
    try {
      long newest = 0;
      for (CheckpointStore life : GroupBirth.lives(node, group)) {
        CheckpointStore copies = new SubdirectoryStore(life, StoreNames.COPIES);
        newest = Math.max(newest, new EpochFiles(life).newest(group));
        newest = Math.max(newest, new EpochFiles(copies).newestTrace(group));
      }
      return newest > epoch || deleteUnused(group);
    } catch (IOException e) {
      LOG.warn("Checkpoints of {}, which has ended, stay at NODE for now", group, e);
      return false;
    }
  }

  /**
   * Deletes a group that no process of this node uses.
   *
   * @return whether nobody uses it; what is no directory of a group stays
   */
  private boolean deleteUnused(GroupId group) throws IOException {
    String root = StoreNames.group(group);
    if (!directory.hasFiles()) {
      return node.deleteDirectory(root);
    }
    if (!isOurs(group)) {
      return true;
    }
    Optional<UseLock> claimed = UseLock.claim(directory.path().resolve(root));
    if (claimed.isEmpty()) {
      return false;
    }
    UseLock lock = claimed.get();
    try {
      return node.deleteDirectory(root);
    } finally {
      lock.close();
    }
  }

  /** Whether only births of a group are there: another directory may be anybody's. */
  private boolean isOurs(GroupId group) throws IOException {
    List<StoreEntry> entries = node.list(StoreNames.group(group));
    return !entries.isEmpty()
        && entries.stream()
            .allMatch(
                entry ->
                    entry.directory()
                        ? StoreNames.isBirth(entry.name())
                        : entry.name().equals(StoreNames.IN_USE));
  }

  private void sweep(Uptime.Moment now) throws IOException {
    Path root = directory.path();
    Map<GroupId, Duration> looked = new RestedGroups(root).look(states(node, root), now);
    for (Map.Entry<GroupId, Duration> entry : looked.entrySet()) {
      if (entry.getValue().compareTo(expiry) >= 0 && deleteUnused(entry.getKey())) {
        LOG.info("Checkpoints of {} at NODE rested for {} and went", entry.getKey(), expiry);
      }
    }
  }

  private static Map<GroupId, String> states(CheckpointStore node, Path root) throws IOException {
    Map<GroupId, String> states = new HashMap<>();
    for (String job : Inventory.jobs(node)) {
      for (GroupId group : Inventory.groups(node, job)) {
        states.put(group, touched(node, root, group).toString());
      }
    }
    return states;
  }

  /**
   * How long nothing has changed any group of a store's directory at NODE, by the time of the
   * machine.
   *
   * @param directory that no process uses
   * @param notes whether this look is noted for the next one; otherwise nothing is written
   * @return empty if nobody has looked before, so that the time is unknown
   * @throws IOException if the directory cannot be listed
   */
  public static Optional<Duration> rest(Path directory, Uptime uptime, boolean notes)
      throws IOException {
    boolean known = Files.exists(directory.resolve(StoreNames.RESTED));
    try (CheckpointStore node = LocalStore.openForReading(directory)) {
      RestedGroups groups = new RestedGroups(directory);
      Map<GroupId, String> states = states(node, directory);
      Uptime.Moment now = uptime.now();
      Duration least =
          (notes ? groups.look(states, now) : groups.peek(states, now))
              .values().stream().min(Comparator.naturalOrder()).orElse(Duration.ZERO);
      return known ? Optional.of(least) : Optional.empty();
    }
  }

  /** When a directory of the group was changed last, in any of its births, by whatever clock. */
  private static Instant touched(CheckpointStore node, Path at, GroupId group) throws IOException {
    String root = StoreNames.group(group);
    Instant newest = Instant.MIN;
    for (StoreEntry birth : node.list(root)) {
      if (birth.directory()) {
        newest = later(newest, changed(at.resolve(root).resolve(birth.name())));
        newest =
            later(newest, newestIn(node, at, StoreNames.life(group, birth.name()) + "/" + root));
        newest =
            later(newest, newestIn(node, at, StoreNames.copies(group, birth.name()) + "/" + root));
      }
    }
    return newest;
  }

  private static Instant newestIn(CheckpointStore node, Path at, String directory)
      throws IOException {
    Instant newest = Instant.MIN;
    for (StoreEntry entry : node.list(directory)) {
      newest = later(newest, changed(at.resolve(directory).resolve(entry.name())));
    }
    return newest;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant changed(Path path) throws IOException {
    try {
      return Files.getLastModifiedTime(path).toInstant();
    } catch (NoSuchFileException e) {
      return Instant.MAX; // another process deletes it
    }
  }
}
