package io.cairn.lab.prove;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Opens Cairn over directories of a proof: NODE receives every iteration. Stateless. */
final class ProofStore {
  private ProofStore() {}

  /** Opens it for trainings of this process; makes the directory. */
  static CairnEngine open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "16m",
                "chunkSize", "4k",
                "node.every", "1",
                "store.every", "1000")));
  }
}
