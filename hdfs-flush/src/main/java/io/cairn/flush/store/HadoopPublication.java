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
 * Renames a file if the new name is absent.
 *
 * <p>HDFS has an operation that does just that and says why it refused. The plain {@link
 * FileSystem#rename(Path, Path)}, all that other file systems offer, tells every reason as {@code
 * false}, and moves the file <em>into</em> an existing directory of the new name; so the names are
 * looked at, too.
 */
record HadoopPublication(FileSystem files) {
  /** How a rename ended, where that is known. */
  enum Result {
    DONE,
    TARGET_EXISTS,
    SOURCE_MISSING
  }

  /**
   * Renames.
   *
   * @throws IOException if it is not known whether it took place
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
      if (saysExists(e) || isDirectory(to, e)) {
        return Result.TARGET_EXISTS;
      }
      throw e;
    }
  }

  private static Result renameIfAbsent(DistributedFileSystem hdfs, Path from, Path to)
      throws IOException {
    hdfs.rename(from, to, Options.Rename.NONE);
    return Result.DONE;
  }

  /**
   * Looks for a directory only. An existing file is left to the rename, to be refused in one step;
   * the probe at opening finds file systems that overwrite it.
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

  /** Whether the error says that the name exists, or is being written by another client. */
  static boolean saysExists(IOException error) {
    if (error instanceof RemoteException remote) {
      String remoteClass = remote.getClassName();
      return remoteClass.endsWith(".AlreadyBeingCreatedException")
          || remoteClass.endsWith(".RecoveryInProgressException")
          || remoteClass.endsWith(".FileAlreadyExistsException");
    }
    return error instanceof FileAlreadyExistsException;
  }
}
