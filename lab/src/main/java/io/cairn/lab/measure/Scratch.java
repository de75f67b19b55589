package io.cairn.lab.measure;

import io.cairn.cli.LocalTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Directories of one run, on disk and in shared memory, which go when it ends. */
public final class Scratch implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final Path disk;
  private final Path memory;

  private Scratch(Path disk, Path memory) {
    this.disk = disk;
    this.memory = memory;
  }

  /** Makes them. */
  public static Scratch create() throws IOException {
    Path disk = Files.createTempDirectory("cairn-bench-");
    Path memory =
        Files.isWritable(SHARED_MEMORY)
            ? Files.createTempDirectory(SHARED_MEMORY, "cairn-bench-")
            : Files.createTempDirectory("cairn-bench-memory-");
    return new Scratch(disk, memory);
  }

  /** A directory that need not exist, on disk. */
  public Path onDisk(String name) {
    return disk.resolve(name);
  }

  /** The same in shared memory, if there is any. */
  public Path inMemory(String name) {
    return memory.resolve(name);
  }

  /**
   * Settings of a job that is checkpointed here: STORE on disk, NODE and DEVICE in shared memory.
   * The caller adds to them.
   */
  public Map<String, String> settings(String job) {
    Map<String, String> settings = new HashMap<>();
    settings.put("job", job);
    settings.put("store", onDisk("store").toString());
    settings.put("node.dir", inMemory("node").toString());
    settings.put("device.dir", inMemory("device").toString());
    return settings;
  }

  @Override
  public void close() throws IOException {
    LocalTree.delete(disk);
    LocalTree.delete(memory);
  }
}
