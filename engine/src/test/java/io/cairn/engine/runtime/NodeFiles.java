package io.cairn.engine.runtime;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files at NODE, as a reader finds them that shares nothing with the writers. */
record NodeFiles(Path directory) {
  static final GroupId GROUP = new GroupId("test", "run");
  private static final int CHUNK_BYTES = 4096;

  private LocalStore open() throws IOException {
    return LocalStore.openForReading(only(only(directory).resolve(StoreNames.group(GROUP))));
  }

  private static Path only(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent).filter(Files::isDirectory)) {
      return entries.reduce((a, b) -> Path.of("two")).orElseThrow();
    }
  }

  /** The chunks in each container of a rank, by file, each verified; {@code region:chunk}. */
  Map<String, List<String>> containers(long iteration, int rank) throws IOException {
    CheckpointId id = new CheckpointId(GROUP, 1, iteration);
    Map<String, List<String>> containers = new TreeMap<>();
    try (LocalStore store = open()) {
      for (ContainerSummary one :
          Inventory.find(store, id, rank).orElseThrow().containersOf(rank)) {
        try (ContainerReader reader = ContainerReader.open(store, id, one)) {
          reader.verify(rank, ByteBuffer.allocate(CHUNK_BYTES));
          containers.put(one.file(), held(reader, rank));
        }
      }
    }
    return containers;
  }

  private static List<String> held(ContainerReader reader, int rank) {
    List<String> held = new ArrayList<>();
    for (int region = 0; region < reader.images(rank).size(); region++) {
      RegionImage image = reader.images(rank).get(region);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        if (reader.holds(rank, region, chunk)) {
          held.add(image.name() + ":" + chunk);
        }
      }
    }
    return held;
  }

  /** Iterations of which anything is left. */
  List<String> directories() throws IOException {
    try (LocalStore store = open()) {
      return store.list(StoreNames.group(GROUP)).stream()
          .map(StoreEntry::name)
          .filter(name -> !name.equals(StoreNames.EPOCHS))
          .toList();
    }
  }
}
