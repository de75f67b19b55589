package io.cairn.examples.demo;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A real HDFS, one NameNode and two DataNodes, in a process of its own under one directory. It
 * survives the death of anything but the process that started it. Thread-safe.
 */
public final class HdfsProcess implements AutoCloseable {
  /** Its DataNodes, and so what {@code dfs.replication} of its clients should be. */
  public static final int REPLICATION = 2;

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final ChildProcess process;
  private final String uri;

  private HdfsProcess(ChildProcess process, String uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * Starts it and waits until it serves. Files of an earlier one in the directory are served again.
   *
   * @param directory is made; holds its files, and its log as {@code hdfs.log}
   * @throws IOException naming the log, if it does not come up within two minutes
   */
  public static HdfsProcess start(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path log = directory.resolve("hdfs.log");
    ChildProcess process =
        Command.java(MiniHdfs.class, directory.toAbsolutePath())
            .small(512)
            .options("-Dcairn.log.platform=info")
            .errorsTo(log)
            .start();
    try {
      return new HdfsProcess(process, process.await(MiniHdfs.UP, START));
    } catch (IOException e) {
      process.close();
      throw new IOException(
          "embedded HDFS in " + directory + ": " + e.getMessage() + "; see " + log, e);
    }
  }

  /** Its address, {@code hdfs://localhost:PORT}. */
  public String uri() {
    return uri;
  }

  /** Copies a directory out of it, as it is; the target must not exist. */
  public void copyOut(String directory, Path target) throws IOException {
    try (FileSystem files = FileSystem.newInstance(URI.create(uri), new Configuration())) {
      files.copyToLocalFile(
          false,
          new org.apache.hadoop.fs.Path(directory),
          new org.apache.hadoop.fs.Path(target.toUri()),
          true);
    }
  }

  /** The process that serves it. */
  public long pid() {
    return process.pid();
  }

  /** Stops it; its files stay. Waits for its end, some seconds at most. Idempotent. */
  @Override
  public void close() {
    try {
      process.end(STOP);
    } catch (IOException e) {
      throw new UncheckedIOException("embedded HDFS, process " + pid(), e);
    }
  }
}
