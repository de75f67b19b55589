package io.cairn.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A real HDFS, one NameNode and two DataNodes, in a process of its own under one directory. It
 * survives the death of anything but the process that started it. Thread-safe.
 */
public final class HdfsProcess implements AutoCloseable {
  /** Its DataNodes, and so what {@code dfs.replication} of its clients should be. */
  public static final int REPLICATION = 2;

  private static final int START_SECONDS = 120;
  private static final int STOP_SECONDS = 5;

  private final Process process;
  private final String uri;

  private HdfsProcess(Process process, String uri) {
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
    Process process =
        new ProcessBuilder(command(directory.toAbsolutePath()))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    CompletableFuture<String> uri = new CompletableFuture<>();
    Thread reader = new Thread(() -> readOutput(process, uri), "hdfs-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return new HdfsProcess(process, uri.get(START_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      String cause = e instanceof TimeoutException ? "not up in time" : e.getMessage();
      throw new IOException("embedded HDFS in " + directory + ": " + cause + "; see " + log, e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("embedded HDFS in " + directory + ": interrupted while starting", e);
    }
  }

  /** Its address, {@code hdfs://localhost:PORT}. */
  public String uri() {
    return uri;
  }

  /** The process that serves it. */
  public long pid() {
    return process.pid();
  }

  /** Stops it; its files stay. Waits for its end, some seconds at most. Idempotent. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("embedded HDFS, process " + pid(), e);
    } finally {
      stop();
    }
  }

  private void stop() {
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
      }
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> command(Path directory) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dcairn.log.platform=info",
        "-cp",
        System.getProperty("java.class.path"),
        MiniHdfs.class.getName(),
        directory.toString());
  }

  /** Finds the URI in what the process prints, then goes on reading so that it never blocks. */
  private static void readOutput(Process process, CompletableFuture<String> uri) {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(MiniHdfs.UP)) {
          uri.complete(line.substring(MiniHdfs.UP.length()));
        }
      }
      uri.completeExceptionally(new IOException("its process ended"));
    } catch (IOException e) {
      uri.completeExceptionally(e);
    }
  }
}
