package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Digest;
import io.cairn.Member;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes containers front to back: header, chunks, index, trailer. Every chunk is verified on
 * arrival, before it is written, so damage on the way is never sealed. A chunk in mapped memory is
 * written from where it lies. Any other is copied once, into a staging buffer that the writer
 * reuses; several copies are under way where the source can. Not thread-safe: use one writer per
 * thread.
 *
 * <p>A writer that compresses, or hashes, writes containers of version 2, any other of version 1.
 */
public final class ContainerWriter {
  private final ReadAhead ahead;
  private final Compression compression;
  private final UUID bootId;
  private final ChunkChecksum checksum = new ChunkChecksum();
  private Optional<ChunkEncoder> encoder = Optional.empty();

  /**
   * Creates a writer that does not compress, and allocates its staging buffer.
   *
   * @param maxChunkBytes length of the longest chunk to write, and of each staging buffer
   */
  public ContainerWriter(int maxChunkBytes) {
    this(maxChunkBytes, Compression.NONE);
  }

  /**
   * Like the other; the buffers of a compression are allocated by the first write.
   *
   * @param compression of the regions that ask for none
   */
  public ContainerWriter(int maxChunkBytes, Compression compression) {
    this(maxChunkBytes, compression, BootId.current());
  }

  ContainerWriter(int maxChunkBytes, Compression compression, UUID bootId) {
    if (maxChunkBytes < 1 || maxChunkBytes > ContainerIndex.MAX_CHUNK_BYTES) {
      throw new IllegalArgumentException(
          "chunks of " + maxChunkBytes + " bytes: 1 to " + ContainerIndex.MAX_CHUNK_BYTES);
    }
    this.ahead = new ReadAhead(ByteBuffer.allocateDirect(maxChunkBytes));
    this.compression = compression;
    this.bootId = bootId;
  }

  /** The encoder, if any region is compressed. */
  private Optional<ChunkEncoder> encoderFor(List<RankChunks> ranks) throws IOException {
    if (ranks.stream().noneMatch(rank -> rank.compresses(compression))) {
      return Optional.empty();
    }
    if (encoder.isEmpty()) {
      encoder = Optional.of(new ChunkEncoder(compression, ahead.bufferBytes(), System::nanoTime));
    }
    return encoder;
  }

  /**
   * Writes, syncs and closes one rank's container.
   *
   * <p>After a failure the partial file is deleted if possible, and no manifest names it. The
   * caller must not write it again under the same name, since the delete or the creation may take
   * effect later. Only if {@code source} failed, with nothing suppressed, the file is surely gone.
   *
   * @return the manifest's entry for the container
   * @throws java.nio.file.FileAlreadyExistsException if the container exists; it is untouched
   * @throws IOException if reading or writing failed, or if a chunk arrived with a wrong checksum;
   *     the message then names rank, region, chunk and both checksums. Also if the compression's
   *     library is absent
   */
  public ContainerSummary write(
      CheckpointStore store,
      Member member,
      CheckpointId id,
      List<RegionImage> images,
      ChunkReader source)
      throws IOException {
    if (!member.group().equals(id.group())) {
      throw new IllegalArgumentException(member + " does not belong to " + id);
    }
    return write(store, id, member.size(), List.of(new RankChunks(member.rank(), images, source)));
  }

  /**
   * Writes the chunks of several ranks into one container, named after the lowest.
   *
   * @param groupSize ranks in the group
   * @param ranks at least one, by rising rank
   */
  public ContainerSummary write(
      CheckpointStore store, CheckpointId id, int groupSize, List<RankChunks> ranks)
      throws IOException {
    int lowest = ranks.isEmpty() ? 0 : ranks.get(0).rank();
    return write(store, id, groupSize, ranks, StoreNames.container(lowest));
  }

  /** Like {@link #write(CheckpointStore, CheckpointId, int, List)}, with an explicit file name. */
  public ContainerSummary write(
      CheckpointStore store, CheckpointId id, int groupSize, List<RankChunks> ranks, String name)
      throws IOException {
    return write(store, id, groupSize, ranks, name, Leaning.NONE).container();
  }

  /**
   * Writes one rank's chunks, or a part of them, without those that are as they were in the base.
   *
   * @return the container as it was written, for newer ones to lean on
   * @throws IllegalArgumentException if nothing is to be hashed, or the base is not of an older
   *     checkpoint of the group
   */
  public Base write(
      CheckpointStore store,
      CheckpointId id,
      int groupSize,
      RankChunks rank,
      String name,
      Leaning leaning)
      throws IOException {
    if (leaning.maxHolders() == 0) {
      throw new IllegalArgumentException("without hashes " + id + " cannot be leaned on");
    }
    Written written = write(store, id, groupSize, List.of(rank), name, leaning);
    ByteBuffer index = written.index();
    ContainerIndex.RankIndex chunks =
        ContainerIndex.decode(index, name, written.container().bytes(), ContainerVersion.ENCODED)
            .ranks()
            .get(rank.rank());
    return new Base(id, written.container(), Objects.requireNonNull(chunks));
  }

  /** A container, and the bytes of its index. */
  private record Written(ContainerSummary container, ByteBuffer index) {}

  private Written write(
      CheckpointStore store,
      CheckpointId id,
      int groupSize,
      List<RankChunks> ranks,
      String name,
      Leaning leaning)
      throws IOException {
    Optional<ChunkEncoder> encoding = encoderFor(ranks);
    ContainerVersion version =
        encoding.isEmpty() && leaning.maxHolders() == 0
            ? ContainerVersion.PLAIN
            : ContainerVersion.ENCODED;
    ByteBuffer index = indexFor(id, groupSize, ranks, version);
    References references = new References(leaning, id, ranks.get(0));
    String path = StoreNames.file(id, name);
    ContainerSummary written;
    TimedOutput out = new TimedOutput(store.create(path), System::nanoTime);
    try (out) {
      out.write(new ContainerHeader(id, groupSize, bootId, version).encode());
      ContainerIndex.putHead(index, ranks.size());
      for (RankChunks rank : ranks) {
        encoding.ifPresent(to -> to.begin(region -> rank.compression(region, compression)));
        new RankCopy(rank, out, index, path, checksum, encoding, references, version).copy(ahead);
      }
      ContainerIndex.putHolders(index, references.used().size());
      Digest digest = Digest.of(index.flip());
      ContainerTrailer trailer = new ContainerTrailer(out.position(), index.limit(), digest);
      out.write(index.rewind());
      out.write(trailer.encode());
      out.sync();
      List<Integer> numbers = ranks.stream().map(RankChunks::rank).toList();
      written =
          new ContainerSummary(
              name, out.position(), digest, numbers, references.used(), Fingerprint.NONE);
    } catch (IOException | RuntimeException e) {
      discard(store, path, e);
      throw e;
    }
    encoding.ifPresent(each -> each.sent(written.bytes(), out.nanos()));
    return new Written(written, index.rewind());
  }

  private ByteBuffer indexFor(
      CheckpointId id, int groupSize, List<RankChunks> ranks, ContainerVersion version) {
    int previous = -1;
    for (RankChunks rank : ranks) {
      if (rank.rank() <= previous || rank.rank() >= groupSize) {
        throw new IllegalArgumentException(
            "container of " + id + ": ranks must rise and be below " + groupSize);
      }
      previous = rank.rank();
      rank.images().forEach(this::requireFitting);
    }
    long bytes = ContainerIndex.bytes(ranks, version);
    if (bytes > ContainerIndex.MAX_BYTES || ranks.isEmpty()) {
      throw new IllegalArgumentException(
          "container of "
              + id
              + " with "
              + ranks.size()
              + " ranks: an index of "
              + bytes
              + " bytes, at most "
              + ContainerIndex.MAX_BYTES
              + ": use longer chunks or fewer ranks per container");
    }
    return ByteBuffer.allocate((int) bytes);
  }

  private void requireFitting(RegionImage image) {
    if (image.chunkBytes() > ahead.bufferBytes() && image.bytes() > ahead.bufferBytes()) {
      throw new IllegalArgumentException(
          image + ": chunks of " + image.chunkBytes() + " bytes, at most " + ahead.bufferBytes());
    }
  }

  /**
   * Deletes the partial file. No manifest names it, so a remnant only takes space until the
   * retention of a later epoch deletes it.
   */
  private static void discard(CheckpointStore store, String path, Exception cause) {
    try {
      store.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
