package io.cairn.engine.promotion;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.Layout;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.LateStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NODE: one rank's containers and its part of the manifest, in the node's directory. The directory
 * also holds the epochs of this machine, so that an attempt notices a later one without the store.
 */
public final class NodeWriter implements LevelWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWriter.class);

  private final NodeDirectory directory;
  private final LateStore node;
  private final int keep;
  private final EpochFiles epochs;
  private final ManifestCommit commit;
  private final Retention retention;
  private final NodeContainers containers;
  private final NodeCleaning cleaning;

  /**
   * Writes to this node.
   *
   * @param directory the root of {@code node}; made again if it vanishes
   * @param node stays the caller's to close
   * @param keep checkpoints kept per group, 256 at most
   * @param cleaning of this node
   */
  public NodeWriter(
      NodeDirectory directory, LateStore node, int chunkBytes, int keep, NodeCleaning cleaning) {
    this.cleaning = cleaning;
    this.directory = directory;
    this.node = node;
    // retention deletes nothing before it knows so many seals
    this.keep = Math.min(keep, LevelCopies.MAX_SEALED_KNOWN);
    this.epochs = new EpochFiles(node);
    this.commit = new ManifestCommit(node);
    this.retention = new Retention(node);
    this.containers = new NodeContainers(node, chunkBytes);
  }

  @Override
  public CopySource copies() {
    return new StoreCopies(node, Level.NODE);
  }

  @Override
  public void begin(GroupId group, long epoch) {
    cleaning.begun(group);
    try {
      node.create(Layout.epoch(group, epoch)).close();
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Epoch {} of {} is known on this node", epoch, group);
    } catch (IOException e) {
      LOG.warn("Epoch {} of {} could not be marked at NODE", epoch, group, e);
    }
  }

  @Override
  public Optional<ContainerSummary> write(Promoted checkpoint, Copy source) throws IOException {
    node.requireOpen();
    GroupId group = checkpoint.id().group();
    long newest = newestEpoch(group);
    if (newest > checkpoint.id().epoch()) {
      throw new SupersededException("epoch " + newest + " of " + group + " began on this node");
    }
    remakeIfGone();
    cleaning.run(group);
    publish(checkpoint, containers.write(checkpoint, source));
    return Optional.empty();
  }

  private long newestEpoch(GroupId group) {
    try {
      return epochs.newest(group);
    } catch (IOException e) {
      // readers decide in the end; the write to a directory that vanished reports that
      return 0;
    }
  }

  /** A node directory in shared memory may be swept away; the next checkpoint starts it anew. */
  private void remakeIfGone() throws IOException {
    if (Files.notExists(directory.path())) {
      LOG.warn("The node directory {} vanished: its checkpoints are lost", directory.path());
      directory.open().close();
    }
  }

  private void publish(Promoted checkpoint, List<ContainerSummary> written) throws IOException {
    CheckpointManifest part =
        new CheckpointManifest(
            checkpoint.id(),
            checkpoint.member().size(),
            checkpoint.parent(),
            checkpoint.ancestry(),
            UUID.randomUUID().toString(),
            written);
    CommitOutcome outcome = commit.commit(part, Layout.manifestPart(checkpoint.rank()));
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + node.describe() + ": " + outcome);
    }
  }

  @Override
  public void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {
    retention.apply(
        newest.group(),
        newest.epoch(),
        keep,
        stored -> stored.coversGroup() || sealed.test(stored.id()),
        needed);
  }

  @Override
  public void left(GroupId group) {
    cleaning.left(group);
  }

  @Override
  public void ended(GroupId group, long epoch) {
    cleaning.ended(group, epoch);
  }

  @Override
  public void drop(CheckpointId id) throws IOException {
    String checkpoint = Layout.checkpoint(id);
    for (StoreEntry entry : node.list(checkpoint)) {
      if (Layout.isManifest(entry.name())) {
        node.delete(Layout.file(id, entry.name()));
      }
    }
    node.deleteDirectory(checkpoint);
  }
}
