package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.engine.runtime.GatedStore;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random programs against a map of steps: never a wrong byte, never above its limits. */
class HistoryModelTest {
  private static final int CHUNK = 4096;
  private static final int SEEDS = 60;
  private static final int SEEDS_OF_PROOFS = 150;
  private static final Set<String> WRITES = Set.of("create", "write", "sync");

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void keepsEveryByteInMemoryThatTheHostMaps() throws IOException {
    runMapped(0, SEEDS);
  }

  private void runMapped(int from, int to) throws IOException {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4 << 20)) {
      for (int seed = from; seed < to; seed++) {
        runAlone(seed, device);
      }
    }
  }

  @Test
  @Timeout(120)
  void keepsEveryByteInMemoryThatItDoesNot() throws IOException {
    runUnmapped(0, SEEDS);
  }

  private void runUnmapped(int from, int to) throws IOException {
    for (int seed = from; seed < to; seed++) {
      try (DelayedDevice device = new DelayedDevice(1 << 20, seed)) {
        runAlone(seed, device);
      }
    }
  }

  @Test
  @Tag("proof")
  void keepsEveryByteOfFurtherPrograms() throws IOException {
    runMapped(SEEDS, SEEDS_OF_PROOFS);
    runUnmapped(SEEDS, SEEDS_OF_PROOFS);
    runBesidePeers(SEEDS, SEEDS_OF_PROOFS);
  }

  private void runAlone(long seed, DeviceMemory device) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    MemoryStore files = new MemoryStore("m");
    GatedStore store = new GatedStore(files);
    int failing = random.nextInt(2, 40);
    AtomicInteger calls = new AtomicInteger();
    store.gate(
        (operation, path) -> {
          if (WRITES.contains(operation) && calls.incrementAndGet() % failing == 0) {
            throw new IOException("planted: " + operation + " " + path);
          }
        });
    long stored = random.nextInt(3) == 0 ? 0 : random.nextLong(200) * CHUNK;
    try (DelayedDevice host = new DelayedDevice(1 << 20, seed)) {
      Path states = directory.resolve("states");
      HistoryPlaces places = HistoryPlaces.on(device).withStore(store, Duration.ZERO, stored);
      new RandomProgram(seed, states, bytes -> places.withHost(host, bytes)).run();
    }
    assertThat(files.files).as("seed %d", seed).isEmpty();
  }

  @Test
  @Timeout(120)
  void keepsEveryByteThatPeersLend() throws IOException {
    runBesidePeers(0, SEEDS);
  }

  private void runBesidePeers(int from, int to) throws IOException {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4 << 20)) {
      for (int seed = from; seed < to; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        HistoryPeers peers = new HistoryPeers(Topology.uniform(3, 24e9, 12e9));
        List<RandomProgram> programs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          HistoryPlaces places = HistoryPlaces.on(device).withPeers(peers, i);
          Path states = directory.resolve("states-" + i);
          programs.add(new RandomProgram(3L * seed + i, states, bytes -> places));
        }
        for (int i = 0; i < 150; i++) {
          programs.get(random.nextInt(3)).act();
        }
        Collections.shuffle(programs, new Random(seed));
        // A borrower without other room keeps what it borrowed until it has read its states.
        programs.forEach(RandomProgram::restoreAll);
        programs.forEach(RandomProgram::end);
      }
    }
  }

  @Test
  @Timeout(120)
  void givesNoWrongByteOfAProcessThatDied() throws Exception {
    int losses = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      losses += runBesideAMortal(seed);
    }
    assertThat(losses).as("states that were lost").isPositive();
  }

  /** A program borrows from a process that recalls and dies. */
  private int runBesideAMortal(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path meeting = directory.resolve("peers");
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4 << 20);
        DeviceMemory others = SharedMemoryDevice.open(directory, directory, 8 << 20);
        MortalLender lender = new MortalLender(meeting, others, seed);
        MachinePeers peers = MachinePeers.join(meeting, Topology.uniform(2, 24e9, 1), 0)) {
      Path states = directory.resolve("states");
      RandomProgram program =
          new RandomProgram(seed, states, bytes -> HistoryPlaces.on(device).withPeers(peers));
      lender.live();
      for (int i = 0; i < 120; i++) {
        program.act();
        switch (random.nextInt(20)) {
          case 0 -> {
            if (lender.die()) {
              program.losesStates();
            }
          }
          case 1, 2 -> lender.live();
          case 3 -> lender.recall();
          case 4, 5, 6 -> lender.report();
          default -> lender.check();
        }
      }
      program.end();
      return program.losses();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
