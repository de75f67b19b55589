package io.cairn.engine.promotion;

import io.cairn.core.model.GroupId;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the copies at NODE that no training needs any more. A group that ended in order has its
 * last checkpoint at STORE; its copies go when another group writes. Copies of other groups go when
 * nothing has touched them for long. {@link #run} belongs to the thread that writes; the rest is
 * thread-safe.
 */
public final class NodeCleaning {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCleaning.class);
  private static final Duration SWEPT_EVERY = Duration.ofHours(1);

  private final NodeDirectory directory;
  private final CheckpointStore node;
  private final Duration expiry;
  private final Clock clock;

  /** Groups that ended in order, with their last epochs. */
  private final Map<GroupId, Long> ended = new ConcurrentHashMap<>();

  /** Groups with ranks in this process. */
  private final Set<GroupId> running = ConcurrentHashMap.newKeySet();

  private Instant swept = Instant.MIN;

  /**
   * Nothing has ended yet.
   *
   * @param directory the root of {@code node}
   * @param expiry how long the copies of a group stay untouched before they go
   * @param clock of the file system
   */
  public NodeCleaning(NodeDirectory directory, CheckpointStore node, Duration expiry, Clock clock) {
    this.directory = directory;
    this.node = node;
    this.expiry = expiry;
    this.clock = clock;
  }

  /** A rank of a group begins here. */
  void begun(GroupId group) {
    ended.remove(group);
    running.add(group);
  }

  /** No rank of a group is here any more. */
  void left(GroupId group) {
    running.remove(group);
  }

  /** A training ended in order with this epoch, and its last checkpoint is at STORE. */
  void ended(GroupId group, long epoch) {
    running.remove(group);
    ended.put(group, epoch);
  }

  /** Deletes what is not needed, before a group writes. A failure is logged, and tried again. */
  void run(GroupId writing) {
    ended.forEach(
        (group, epoch) -> {
          if (!group.equals(writing) && delete(group, epoch)) {
            ended.remove(group, epoch);
          }
        });
    if (swept.plus(SWEPT_EVERY).isBefore(clock.instant())) {
      swept = clock.instant();
      try {
        sweep();
      } catch (IOException e) {
        LOG.warn("Old checkpoints at {} could not be deleted", node.describe(), e);
      }
    }
  }

  /** Deletes a group, unless a later epoch of it began on this node. */
  private boolean delete(GroupId group, long epoch) {
    try {
      long newest = 0;
      for (CheckpointStore life : GroupBirth.lives(node, group)) {
        CheckpointStore copies = new SubdirectoryStore(life, Layout.COPIES);
        newest = Math.max(newest, new EpochFiles(life).newest(group));
        newest = Math.max(newest, new EpochFiles(copies).newestTrace(group));
      }
      if (newest <= epoch) {
        node.deleteDirectory(Layout.group(group));
      }
      return true;
    } catch (IOException e) {
      LOG.warn("Checkpoints of {}, which has ended, stay at NODE for now", group, e);
      return false;
    }
  }

  private void sweep() throws IOException {
    Instant oldest = clock.instant().minus(expiry);
    for (String job : Inventory.jobs(node)) {
      for (GroupId group : Inventory.groups(node, job)) {
        if (!running.contains(group) && touched(group).isBefore(oldest)) {
          LOG.info("Checkpoints of {} at NODE are older than {} and are deleted", group, expiry);
          node.deleteDirectory(Layout.group(group));
        }
      }
    }
  }

  /** When a directory of the group was changed last, in any of its births. */
  private Instant touched(GroupId group) throws IOException {
    String root = Layout.group(group);
    Instant newest = changed(root);
    for (StoreEntry birth : node.list(root)) {
      newest = later(newest, changed(root + "/" + birth.name()));
      if (birth.directory()) {
        newest = later(newest, newestIn(Layout.life(group, birth.name()) + "/" + root));
        newest = later(newest, newestIn(Layout.copies(group, birth.name()) + "/" + root));
      }
    }
    return newest;
  }

  private Instant newestIn(String directory) throws IOException {
    Instant newest = Instant.MIN;
    for (StoreEntry entry : node.list(directory)) {
      newest = later(newest, changed(directory + "/" + entry.name()));
    }
    return newest;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Instant changed(String path) throws IOException {
    try {
      return Files.getLastModifiedTime(directory.path().resolve(path)).toInstant();
    } catch (NoSuchFileException e) {
      return Instant.MAX; // another process deletes it
    }
  }
}
