package io.cairn.lab.bench.flush;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** The yardsticks: the shortest loops that write a state and read it. Each takes nanoseconds. */
final class BareIo {
  private static final int BUFFER_BYTES = 64 << 10;

  private BareIo() {}

  /** Writes the chunks to a new file, which is deleted afterwards; forces nothing. */
  static long writeFile(java.nio.file.Path file, List<ByteBuffer> chunks) throws IOException {
    long before = System.nanoTime();
    try (FileChannel out = FileChannel.open(file, CREATE_NEW, WRITE)) {
      for (ByteBuffer chunk : chunks) {
        while (chunk.hasRemaining()) {
          out.write(chunk);
        }
      }
    }
    long nanos = System.nanoTime() - before;
    Files.delete(file);
    return nanos;
  }

  /**
   * Writes the chunks to a new file at HDFS; the file stays. Every block of it is synced, as those
   * of a container are: the sync at the end covers the last block only.
   */
  static long writeHdfs(FileSystem files, Path file, List<ByteBuffer> chunks) throws IOException {
    byte[] buffer = new byte[FlushedState.CHUNK_BYTES];
    long before = System.nanoTime();
    try (FSDataOutputStream out = create(files, file)) {
      for (ByteBuffer chunk : chunks) {
        int bytes = chunk.remaining();
        chunk.get(buffer, 0, bytes);
        out.write(buffer, 0, bytes);
      }
      out.hsync();
    }
    return System.nanoTime() - before;
  }

  private static FSDataOutputStream create(FileSystem files, Path file) throws IOException {
    return files.create(
        file,
        FsPermission.getFileDefault(),
        EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
        BUFFER_BYTES,
        files.getDefaultReplication(file),
        files.getDefaultBlockSize(file),
        null);
  }

  /** Reads a file at HDFS once. */
  static long readHdfs(FileSystem files, Path file) throws IOException {
    byte[] buffer = new byte[FlushedState.CHUNK_BYTES];
    long before = System.nanoTime();
    try (FSDataInputStream in = files.open(file)) {
      int read = in.read(buffer);
      while (read >= 0) {
        read = in.read(buffer);
      }
    }
    return System.nanoTime() - before;
  }

  /** A client of its own. */
  static FileSystem connect(String uri, int replication) throws IOException {
    Configuration configuration = new Configuration();
    configuration.setInt("dfs.replication", replication);
    return FileSystem.newInstance(URI.create(uri), configuration);
  }
}
