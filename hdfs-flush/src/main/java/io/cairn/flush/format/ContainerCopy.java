package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Holder;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * Copies the file of a container to another store, byte for byte, and verifies the copy: header,
 * trailer, the digest of the index, and the checksum of each chunk in the file. Chunks in older
 * containers are verified with those. Stateless; thread-safe.
 */
public final class ContainerCopy {
  private static final int BLOCK_BYTES = 1 << 20;

  private ContainerCopy() {}

  /**
   * Writes, syncs and closes a copy under a name that is absent, and reads it back.
   *
   * @param container the file as a manifest names it, for itself or as a holder
   * @param name of the copy in the checkpoint's directory
   * @param progress receives the bytes as they are written
   * @throws FormatException if the copy is damaged since the source is, with its file and offset;
   *     the copy is deleted then, if possible
   * @throws IOException if a store fails otherwise; a part of the copy may be left
   * @throws java.nio.file.FileAlreadyExistsException if the name exists; that file is untouched
   */
  public static void write(
      ReadableStore from,
      CheckpointStore to,
      GroupId group,
      Holder container,
      String name,
      LongConsumer progress)
      throws IOException {
    String path = StoreNames.file(container.in(group), name);
    copy(from, StoreNames.file(container.in(group), container.file()), to, path, progress);
    try {
      require(to, group, container, name);
    } catch (FormatException e) {
      discard(to, path, e);
      requireSource(from, group, container, e);
      throw e;
    }
  }

  /** Reads the source first: if that fails at once, there is no copy. */
  private static void copy(
      ReadableStore from, String source, CheckpointStore to, String path, LongConsumer progress)
      throws IOException {
    try (StoreInput in = from.open(source)) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      read(in, 0, block);
      try (StoreOutput out = to.create(path)) {
        long at = 0;
        while (block.hasRemaining()) {
          int bytes = block.remaining();
          out.write(block);
          progress.accept(bytes);
          at += bytes;
          read(in, at, block);
        }
        out.sync();
      }
    }
  }

  /** Reads the next block, which is empty at the end. */
  private static void read(StoreInput in, long at, ByteBuffer block) throws IOException {
    block.clear().limit((int) Math.min(BLOCK_BYTES, in.length() - at));
    if (block.hasRemaining()) {
      in.readFully(at, block);
    }
    block.flip();
  }

  private static void discard(CheckpointStore to, String path, Exception cause) {
    try {
      to.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** A copy of a damaged source is damaged, and the source is to be named. */
  private static void requireSource(
      ReadableStore from, GroupId group, Holder container, Exception cause) throws IOException {
    try {
      require(from, group, container, container.file());
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw e;
    }
  }

  /**
   * Reads a file, which must be this container. Takes memory for one chunk and the index.
   *
   * @param name of the file in the checkpoint's directory
   * @throws FormatException if it is truncated, damaged, or another one; with file and offset
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public static void require(ReadableStore store, GroupId group, Holder container, String name)
      throws IOException {
    CheckpointId id = container.in(group);
    String path = StoreNames.file(id, name);
    String file = store.describe() + "/" + path;
    try (StoreInput input = store.open(path)) {
      ContainerReader.requireLength(input, file, container.bytes());
      ContainerVersion version = ContainerReader.readHeader(input, file, id).version();
      ContainerTrailer trailer = ContainerReader.readTrailer(input, file);
      ContainerReader.requireDigest(trailer, file, container.indexDigest());
      ContainerIndex index = ContainerReader.readIndex(input, file, version, trailer);
      StoredBytes stored = new StoredBytes(input, file);
      for (ContainerIndex.RankIndex rank : index.ranks().values()) {
        for (StoredChunks chunks : rank.stored()) {
          stored.require(chunks);
        }
      }
    }
  }

  /** The stored bytes of chunks in one file. */
  private static final class StoredBytes {
    private final StoreInput input;
    private final String file;
    private final ChunkChecksum checksum = new ChunkChecksum();
    private ByteBuffer staging = ByteBuffer.allocate(0);

    StoredBytes(StoreInput input, String file) {
      this.input = input;
      this.file = file;
    }

    void require(StoredChunks chunks) throws IOException {
      for (int chunk = 0; chunk < chunks.count(); chunk++) {
        if (chunks.holds(chunk) && chunks.holder(chunk) == Base.ITSELF) {
          require(chunks, chunk);
        }
      }
    }

    private void require(StoredChunks chunks, int chunk) throws IOException {
      if (staging.capacity() < chunks.bytes(chunk)) {
        staging = ByteBuffer.allocateDirect(chunks.bytes(chunk));
      }
      input.readFully(chunks.offset(chunk), staging.clear().limit(chunks.bytes(chunk)));
      int found = checksum.before(staging, 0);
      if (found != chunks.checksum(chunk)) {
        throw new FormatException(
            file,
            chunks.offset(chunk),
            "stored bytes of a chunk have CRC32C %s, the index says %s"
                .formatted(ChunkChecksum.show(found), ChunkChecksum.show(chunks.checksum(chunk))));
      }
    }
  }
}
