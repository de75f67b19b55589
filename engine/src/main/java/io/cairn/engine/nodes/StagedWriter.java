package io.cairn.engine.nodes;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.events.Repeats;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.engine.promotion.StoreWriter;
import io.cairn.flush.restore.CopySource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * STORE, written by a staging server that reads from this process's node. Without a server, or if
 * the servers fail, this process writes itself.
 */
public final class StagedWriter implements LevelWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StagedWriter.class);

  private final StoreWriter own;
  private final NodeGroups groups;
  private final StagingServers servers;
  private final Consumer<? super CairnEvent> events;
  private final Repeats repeats;

  /**
   * Has servers write.
   *
   * @param own writes what no server does
   * @param groups at NODE, which servers read
   * @param events receives {@link CairnEvent.Written}
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public StagedWriter(
      StoreWriter own,
      NodeGroups groups,
      StagingServers servers,
      Consumer<? super CairnEvent> events,
      LongSupplier nanoTime) {
    this.own = own;
    this.groups = groups;
    this.servers = servers;
    this.events = events;
    this.repeats = new Repeats(nanoTime);
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return own.copies(atStore);
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    Optional<ContainerSummary> staged = staged(checkpoint);
    if (staged.isEmpty()) {
      return own.write(checkpoint, nearest);
    }
    events.accept(
        new CairnEvent.Written(
            checkpoint.id(), own.level(), checkpoint.bytes(), staged.get().bytes()));
    return List.of(staged.get().writtenBy(checkpoint.described()));
  }

  private Optional<ContainerSummary> staged(Promoted checkpoint)
      throws InterruptedIOException, SkippedException {
    CheckpointId id = checkpoint.id();
    try {
      Optional<CheckpointManifest> part =
          RankPart.find(groups.of(id.group()), id, checkpoint.rank());
      return part.isEmpty()
          ? Optional.empty()
          : servers.write(
              part.get(),
              groups.birth(id.group()),
              () -> checkpoint.reporter().isGivenUp(own.level()));
    } catch (InterruptedIOException | SkippedException e) {
      throw e;
    } catch (IOException e) {
      repeats
          .pass("staging")
          .ifPresent(
              more -> LOG.warn("No staging server writes {}, so this process does{}", id, more, e));
      return Optional.empty();
    }
  }
}
