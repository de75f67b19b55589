package io.cairn.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

  /** Deletes a directory with all that is in it; nothing if it is not there. */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(directory)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }

  @Override
  public void close() throws IOException {
    delete(disk);
    delete(memory);
  }
}
