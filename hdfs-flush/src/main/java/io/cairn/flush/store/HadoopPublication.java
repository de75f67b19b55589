package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Renames a file if the new name is absent, or replaces the one that has it.
 *
 * <p>HDFS has this operation and reports the reason of a refusal. Other file systems offer only the
 * plain {@link FileSystem#rename(Path, Path)}. It returns {@code false} for every reason, and moves
 * the file <em>into</em> an existing directory of the new name. Therefore the names are checked as
 * well.
 */
record HadoopPublication(FileSystem files) {
  /** The known result of a rename. */
  enum Result {
    DONE,
    TARGET_EXISTS,
    SOURCE_MISSING
  }

  /**
   * Renames.
   *
   * @throws IOException if its effect is unknown
   */
  Result rename(Path from, Path to) throws IOException {
    try {
      return files instanceof DistributedFileSystem hdfs
          ? renameIfAbsent(hdfs, from, to)
          : renamePlain(from, to);
    } catch (FileNotFoundException e) {
      return Result.SOURCE_MISSING;
    } catch (IOException e) {
      // HDFS has no exception of its own for a directory of the new name.
      if (meansExists(e) || isDirectory(to, e)) {
        return Result.TARGET_EXISTS;
      }
      throw e;
    }
  }

  /**
   * Renames, and replaces a file of the new name in the same step.
   *
   * @return false if the file system has no such step; the one of other classes than HDFS is two
   * @throws FileNotFoundException if the old name is absent
   */
  boolean replace(Path from, Path to) throws IOException {
    if (files instanceof DistributedFileSystem hdfs) {
      hdfs.rename(from, to, Options.Rename.OVERWRITE);
      return true;
    }
    return false;
  }

  private static Result renameIfAbsent(DistributedFileSystem hdfs, Path from, Path to)
      throws IOException {
    hdfs.rename(from, to, Options.Rename.NONE);
    return Result.DONE;
  }

  /**
   * Checks for a directory only. The rename itself rejects an existing file in one step; the probe
   * at opening detects file systems that overwrite it.
   */
  private Result renamePlain(Path from, Path to) throws IOException {
    if (files.exists(to) && files.getFileStatus(to).isDirectory()) {
      return Result.TARGET_EXISTS;
    }
    if (files.rename(from, to)) {
      return Result.DONE;
    }
    boolean sourceExists = files.exists(from);
    boolean targetExists = files.exists(to);
    if (sourceExists && targetExists) {
      return Result.TARGET_EXISTS;
    } else if (!sourceExists && !targetExists) {
      return Result.SOURCE_MISSING;
    }
    throw new IOException(
        "the rename was refused without a reason; afterwards the old name "
            + (sourceExists
                ? "exists and the new one does not"
                : "is gone and the new one exists"));
  }

  private boolean isDirectory(Path path, IOException doubt) {
    try {
      return files.getFileStatus(path).isDirectory();
    } catch (IOException e) {
      doubt.addSuppressed(e);
      return false;
    }
  }

  /** Whether the error means that the name exists, or that another client is writing it. */
  static boolean meansExists(IOException error) {
    if (error instanceof RemoteException remote) {
      String remoteClass = remote.getClassName();
      return remoteClass.endsWith(".AlreadyBeingCreatedException")
          || remoteClass.endsWith(".RecoveryInProgressException")
          || remoteClass.endsWith(".FileAlreadyExistsException");
    }
    return error instanceof FileAlreadyExistsException;
  }
}
