package io.cairn.flush.store;

import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Writes to a store while its process ends, after Hadoop's own hook. Argument: the store's
 * directory. It says WRITTEN, or the failure.
 */
public final class LastWriter {
  private LastWriter() {}

  /** Like a client of HDFS, it is of no use once it is closed. */
  public static final class Closing extends PlainFileSystem {
    private boolean closed;

    /** Made by Hadoop. */
    public Closing() {
      super("closing");
    }

    @Override
    public synchronized FSDataOutputStream createNonRecursive(
        Path file,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferBytes,
        short replication,
        long blockBytes,
        Progressable progress)
        throws IOException {
      if (closed) {
        throw new IOException("Filesystem closed");
      }
      return super.createNonRecursive(
          file, permission, flags, bufferBytes, replication, blockBytes, progress);
    }

    @Override
    public synchronized void close() throws IOException {
      closed = true;
      super.close();
    }
  }

  /** Runs the process. */
  public static void main(String[] args) throws IOException {
    Configuration conf = PlainFileSystem.configuration();
    conf.setClass("fs.closing.impl", Closing.class, RawLocalFileSystem.class);
    CheckpointStore store = HadoopStore.open(URI.create("closing://" + args[0]), conf);
    ShutdownHookManager.get()
        .addShutdownHook(() -> write(store), FileSystem.SHUTDOWN_HOOK_PRIORITY - 1);
  }

  private static void write(CheckpointStore store) {
    try {
      StoreFiles.write(store, "d/last", new byte[3]);
      System.out.println("WRITTEN");
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
