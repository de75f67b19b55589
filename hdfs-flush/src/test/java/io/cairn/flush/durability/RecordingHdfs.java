package io.cairn.flush.durability;

import io.cairn.flush.durability.FileCall.Kind;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;

/** A client of HDFS that records its changes. */
public final class RecordingHdfs extends DistributedFileSystem {
  /** Of all clients; a test clears it by making another one. */
  private static volatile FileCalls calls = new FileCalls();

  /** Made by Hadoop. */
  public RecordingHdfs() {}

  /** Lets the clients of this configuration record into new calls, which are returned. */
  static FileCalls recordWith(Configuration conf) {
    conf.setClass("fs.hdfs.impl", RecordingHdfs.class, DistributedFileSystem.class);
    calls = new FileCalls();
    return calls;
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferBytes,
      short replication,
      long blockBytes,
      Progressable progress)
      throws IOException {
    FSDataOutputStream stream =
        super.createNonRecursive(
            file, permission, flags, bufferBytes, replication, blockBytes, progress);
    return new FSDataOutputStream(
        new RecordingStream(stream, calls, file.toUri().getPath()), statistics);
  }

  @Override
  public void rename(Path from, Path to, Options.Rename... options) throws IOException {
    calls.addName(from.toUri().getPath(), to.toUri().getPath());
    super.rename(from, to, options);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    calls.add(Kind.REMOVE, path.toUri().getPath());
    return super.delete(path, recursive);
  }
}
