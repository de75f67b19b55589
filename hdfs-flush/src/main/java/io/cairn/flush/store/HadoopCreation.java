package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.UUID;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** Makes the files of a store in a Hadoop file system. Thread-safe. */
record HadoopCreation(HadoopRoot root, StoreBlocks blocks) {
  private static final int WRITE_BUFFER_BYTES = 64 << 10;
  private static final FsPermission OWNER =
      new FsPermission(FsAction.READ_WRITE, FsAction.NONE, FsAction.NONE);

  /** Creates a file exclusively, as {@link CheckpointStore#create} says. */
  StoreOutput create(String path) throws IOException {
    Path file = root.resolve(StorePath.require(path));
    try {
      return output(path, file);
    } catch (FileNotFoundException e) {
      root.makeDirectory(StorePath.parent(path));
    } catch (IOException e) {
      throw notCreated(path, e);
    }
    try {
      return output(path, file);
    } catch (IOException e) {
      throw notCreated(path, e);
    }
  }

  /** Opens a new file. Without SYNC_BLOCK, a sync would cover only the current block. */
  private StoreOutput output(String path, Path file) throws IOException {
    FileSystem files = root.files();
    FSDataOutputStream out =
        files.createNonRecursive(
            file,
            OWNER,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
            WRITE_BUFFER_BYTES,
            (short) blocks.replication().orElseGet(() -> files.getDefaultReplication(file)),
            blocks.blockBytes().orElseGet(() -> files.getDefaultBlockSize(file)),
            null);
    return new HadoopOutput(out, path, root.errors());
  }

  private IOException notCreated(String path, IOException cause) {
    return HadoopPublication.meansExists(cause)
        ? root.errors().exists(path, cause)
        : root.errors().failed("create", path, cause);
  }

  /**
   * Requires that a file gets the replication and the block size that were asked for. Many file
   * systems ignore them, so a file is made and looked at, unless neither was asked for.
   *
   * @throws IOException if it gets others, or is rejected; names store and settings
   */
  void requireBlocks() throws IOException {
    if (blocks.isDefault()) {
      return;
    }
    String path = ".blocks-" + UUID.randomUUID();
    FileStatus made;
    try {
      create(path).close();
      made = root.files().getFileStatus(root.resolve(path));
      root.files().delete(root.resolve(path), false);
    } catch (IOException | IllegalArgumentException e) {
      throw unfit(StoreErrors.reason(e), e);
    }
    if (!blocks.isHonouredBy(made.getReplication(), made.getBlockSize())) {
      throw unfit(
          String.format(
              Locale.ROOT,
              "files there have %d copies and blocks of %d bytes",
              made.getReplication(),
              made.getBlockSize()),
          null);
    }
  }

  private IOException unfit(String reason, @Nullable Exception cause) {
    return new IOException(
        "cannot use store %s with %s: %s; choose values that it accepts, or leave the settings out"
            .formatted(root.errors().store(), blocks, reason),
        cause);
  }
}
