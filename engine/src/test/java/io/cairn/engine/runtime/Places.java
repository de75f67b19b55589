package io.cairn.engine.runtime;

import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.core.model.LevelSpec;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.ConfigOfJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The directories of a test: STORE, NODE and DEVICE under one root, and settings that fit it. Names
 * with {@code cairn.} are properties of the JVM.
 */
record Places(Path root) {
  /** With this property of the JVM, DEVICE lies on a GPU, over a driver without one. */
  private static final String ON_GPU = "cairn.test.gpu";

  CairnConfig config(String... settings) {
    return ConfigOfJvm.of(values(settings));
  }

  /** Like the other, for a process with these levels. */
  CairnConfig config(List<LevelSpec> levels, String... settings) {
    return ConfigOfJvm.of(values(settings), levels);
  }

  private Map<String, String> values(String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("job", "test");
    values.put("store", store().toString());
    values.put("node.dir", node().toString());
    values.put("device.dir", root.resolve("device").toString());
    values.put("device.cacheSize", "1m");
    values.put("chunkSize", "4k");
    values.put("node.every", "2");
    values.put("store.every", "4");
    values.put("closeTimeout", "20s");
    if (Boolean.getBoolean(ON_GPU)) {
      values.put("device.kind", "cuda");
      values.put("cairn.device.cudaLibrary", FakeCuda.library());
    }
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return values;
  }

  Path store() {
    return root.resolve("store");
  }

  Path node() {
    return root.resolve("node");
  }

  /** Where NODE keeps what it has of the group test/run, which was born once in one store. */
  Path nodeOfStore() throws IOException {
    return only(only(node()).resolve("test/run"));
  }

  private static Path only(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(Files::isDirectory)
          .reduce((a, b) -> Path.of("more than one"))
          .orElseThrow();
    }
  }

  CairnEngine open(String... settings) throws IOException {
    return CairnEngine.open(config(settings));
  }
}
