package io.cairn.flush.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A Hadoop file system that is not HDFS: local files under the scheme {@code plain}. Its rename
 * returns {@code false} for every refusal. Subclasses drop semantics that the commit needs.
 */
public class PlainFileSystem extends RawLocalFileSystem {
  private final String scheme;

  /** Made by Hadoop. */
  public PlainFileSystem() {
    this("plain");
  }

  PlainFileSystem(String scheme) {
    this.scheme = scheme;
  }

  /** A configuration that knows these file systems. */
  static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.plain.impl", PlainFileSystem.class, RawLocalFileSystem.class);
    conf.setClass("fs.overwriting.impl", Overwriting.class, RawLocalFileSystem.class);
    conf.setClass("fs.unsyncable.impl", Unsyncable.class, RawLocalFileSystem.class);
    return conf;
  }

  @Override
  public URI getUri() {
    return URI.create(scheme + ":///");
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  @Override
  public synchronized boolean rename(Path from, Path to) throws IOException {
    return !Files.exists(pathToFile(to).toPath()) && super.rename(from, to);
  }

  /** Its base looks first and creates then, which two threads may do at once. */
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
    return super.createNonRecursive(
        file, permission, flags, bufferBytes, replication, blockBytes, progress);
  }

  /** Its rename replaces files. */
  public static final class Overwriting extends PlainFileSystem {
    /** Made by Hadoop. */
    public Overwriting() {
      super("overwriting");
    }

    @Override
    public synchronized boolean rename(Path from, Path to) throws IOException {
      return pathToFile(from).renameTo(pathToFile(to));
    }
  }

  /** Its streams turn an hsync into a flush. */
  public static final class Unsyncable extends PlainFileSystem {
    /** Made by Hadoop. */
    public Unsyncable() {
      super("unsyncable");
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
      OutputStream hidden =
          new FilterOutputStream(
              super.createNonRecursive(
                  file, permission, flags, bufferBytes, replication, blockBytes, progress));
      return new FSDataOutputStream(hidden, statistics);
    }
  }
}
