package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Makes the files of a store in a Hadoop file system. Thread-safe. */
record HadoopCreation(HadoopRoot root) {
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
            files.getDefaultReplication(file),
            files.getDefaultBlockSize(file),
            null);
    return new HadoopOutput(out, path, root.errors());
  }

  private IOException notCreated(String path, IOException cause) {
    return HadoopPublication.meansExists(cause)
        ? root.errors().exists(path, cause)
        : root.errors().failed("create", path, cause);
  }
}
