package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.model.RegionImage;
import io.cairn.engine.sharing.borrower.LeasedChunks;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.Leaning;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one rank's containers at NODE. Lenders on this machine write the chunks that they hold,
 * while this process writes the others. Chunks that a lender does not write are read from it and
 * written here. Not thread-safe: one per writing thread.
 */
final class NodeContainers {
  private static final Logger LOG = LoggerFactory.getLogger(NodeContainers.class);

  /**
   * Suffix of the container for chunks that lenders did not write; differs from any lender's tag.
   */
  private static final String REST = "rest";

  private final ContainerWriter writer;
  private final Bases bases;

  NodeContainers(ContainerWriter writer, Bases bases) {
    this.writer = writer;
    this.bases = bases;
  }

  /**
   * The containers of one rank's checkpoint.
   *
   * @param all that together hold all chunks, this process's own first
   * @param base the checkpoint whose manifest keeps what they lean on
   * @param next what later containers may lean on, once these are published
   */
  record Written(List<ContainerSummary> all, Optional<CheckpointId> base, Optional<Base> next) {}

  /** The chunks under a lease, which the lender writes now. */
  private record Ordered(LeasedChunks part, CompletableFuture<ContainerSummary> container) {}

  /**
   * Writes every chunk of a checkpoint into one container, or leans on an older one for it. A
   * checkpoint of which lenders write a part is written whole, and so is one for other nodes. The
   * wait for lenders is bounded. They write nothing of a checkpoint with lossy regions.
   *
   * @param node holds the group's copies
   * @throws IOException if a chunk is damaged or cannot be read or written; nothing counts then
   */
  Written write(CheckpointStore node, Promoted checkpoint, Copy source) throws IOException {
    List<Ordered> ordered = order(node, checkpoint);
    return ordered.isEmpty() && bases.isOn()
        ? lean(node, checkpoint, source)
        : new Written(write(node, checkpoint, source, ordered), Optional.empty(), Optional.empty());
  }

  private Written lean(CheckpointStore node, Promoted checkpoint, Copy source) throws IOException {
    CheckpointId id = checkpoint.id();
    int rank = checkpoint.rank();
    boolean fetched = checkpoint.due().stream().anyMatch(to -> LevelSpec.of(to).isFetched());
    Leaning leaning = fetched ? bases.none() : bases.of(id, rank);
    RankChunks chunks = checkpoint.chunksOf(source);
    Base written =
        writer.write(
            node, id, checkpoint.member().size(), chunks, StoreNames.container(rank), leaning);
    return new Written(
        written.containers().stream().map(each -> each.writtenBy(checkpoint.described())).toList(),
        leaning.base().map(Base::id),
        Optional.of(written));
  }

  private List<ContainerSummary> write(
      CheckpointStore node, Promoted checkpoint, Copy source, List<Ordered> ordered)
      throws IOException {
    int rank = checkpoint.rank();
    ChunkNumbers numbers = new ChunkNumbers(source.images());
    List<LeasedChunks> left = new ArrayList<>();
    List<ContainerSummary> containers = new ArrayList<>();
    containers.add(
        write(
            node,
            checkpoint,
            source,
            numbers,
            StoreNames.container(rank),
            chunk -> ordered.stream().noneMatch(one -> one.part().holds(chunk))));
    for (Ordered one : ordered) {
      try {
        containers.add(proven(node, checkpoint, numbers, one));
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} of {} are written by their owner", one.part(), checkpoint.id(), e);
        left.add(one.part());
      }
    }
    if (!left.isEmpty()) {
      containers.add(
          write(
              node,
              checkpoint,
              source,
              numbers,
              StoreNames.container(rank, REST),
              chunk -> left.stream().anyMatch(part -> part.holds(chunk))));
    }
    return containers;
  }

  /** A lender holds the exact bytes, and rounds none. */
  private List<Ordered> order(CheckpointStore node, Promoted checkpoint) throws IOException {
    if (checkpoint.isRounded()) {
      return List.of();
    }
    List<LeasedChunks> near =
        checkpoint.leases().parts().stream().filter(LeasedChunks::isNear).toList();
    if (near.isEmpty()) {
      return List.of();
    }
    String here = StoreIdentity.give(node, UUID.randomUUID().toString());
    return near.stream()
        .map(
            part ->
                new Ordered(
                    part,
                    part.flush(checkpoint.member().size(), here, checkpoint.source().images())
                        .toCompletableFuture()))
        .toList();
  }

  private ContainerSummary write(
      CheckpointStore node,
      Promoted checkpoint,
      Copy source,
      ChunkNumbers numbers,
      String name,
      IntPredicate which)
      throws IOException {
    return writer
        .write(
            node,
            checkpoint.id(),
            checkpoint.member().size(),
            List.of(
                new RankChunks(
                        checkpoint.rank(),
                        source.images(),
                        source.reader(),
                        (region, chunk) -> which.test(numbers.of(region, chunk)))
                    .writtenBy(checkpoint.described())),
            name)
        .writtenBy(checkpoint.described());
  }

  /** The container that a lender reports, if its index proves that it holds the lender's chunks. */
  private ContainerSummary proven(
      CheckpointStore node, Promoted checkpoint, ChunkNumbers numbers, Ordered ordered)
      throws IOException {
    ContainerSummary container = ordered.part().await(ordered.container());
    int rank = checkpoint.rank();
    List<RegionImage> images = checkpoint.source().images();
    CheckpointId id = checkpoint.id();
    try (ContainerReader reader = ContainerReader.open(node, id, container)) {
      String file = node.describe() + "/" + StoreNames.file(id, container.file());
      if (!reader.images(rank).equals(images)) {
        throw new FormatException(file, 0, "differs in its regions or checksums from " + id);
      }
      for (int region = 0; region < images.size(); region++) {
        for (int chunk = 0; chunk < images.get(region).chunks(); chunk++) {
          if (ordered.part().holds(numbers.of(region, chunk))
              && !reader.holds(rank, region, chunk)) {
            throw new FormatException(
                file,
                0,
                String.format(Locale.ROOT, "holds no chunk %d of region number %d", chunk, region));
          }
        }
      }
    }
    return container;
  }
}
