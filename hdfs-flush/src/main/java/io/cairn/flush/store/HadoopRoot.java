package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The root of a store in a Hadoop file system, and the directories below it. Only their owner can
 * access them. Thread-safe.
 */
record HadoopRoot(FileSystem files, Path path, StoreErrors errors) {
  private static final FsPermission OWNER =
      new FsPermission(FsAction.ALL, FsAction.NONE, FsAction.NONE);

  /** The root at a path. */
  HadoopRoot(FileSystem files, Path path) {
    this(files, path, new StoreErrors(path.toString()));
  }

  /** The path of a file or a directory below the root; the root's own for an empty one. */
  Path resolve(String below) {
    return below.isEmpty() ? path : new Path(path, below);
  }

  /**
   * Makes the root if it is missing.
   *
   * @throws IOException if it is no directory, or cannot be made; names the cause and the remedy
   */
  void make() throws IOException {
    try {
      if (!files.exists(path)) {
        files.mkdirs(path, OWNER);
      }
      require();
    } catch (IOException e) {
      throw StoreRefusal.refusal(errors.store(), "a root directory", e);
    }
  }

  /**
   * Requires that the root is a directory.
   *
   * @throws IOException if it is gone, or is none
   */
  void require() throws IOException {
    try {
      if (!files.getFileStatus(path).isDirectory()) {
        throw errors.notDirectory(StorePath.ROOT);
      }
    } catch (FileNotFoundException e) {
      throw errors.gone();
    }
  }

  /** Makes a directory below a root that exists; a missing root is never made again. */
  void makeDirectory(String directory) throws IOException {
    require();
    try {
      files.mkdirs(resolve(directory), OWNER);
    } catch (IOException e) {
      throw errors.failed("make directory", directory, e);
    }
  }
}
