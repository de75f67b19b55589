package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.events.Observers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache that gives memory of a GPU to the training, over a driver without a GPU. */
@Timeout(120)
class DeviceReserveTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int SLAB_SLOTS = 2;
  private static final int SLABS = 8;
  private static final long CACHE_BYTES = (long) SLABS * SLAB_SLOTS * CHUNK_BYTES;
  private static final String EVERYTHING = "1000000t";

  @TempDir Path root;

  private final List<CairnEvent> shrank = new CopyOnWriteArrayList<>();

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.CacheShrank) {
      shrank.add(event);
    }
  }

  private DeviceReserve reserve(ChunkCache cache, long bytes) {
    Observers observers = new Observers();
    observers.add(this::note);
    return new DeviceReserve(cache.memory(), cache, bytes, observers, Optional::empty);
  }

  private CudaDevice gpu() throws IOException {
    return CudaDevice.open(
        CudaOptions.of(FakeCuda.library(), 0, CACHE_BYTES, root)
            .inSlabsOf((long) SLAB_SLOTS * CHUNK_BYTES));
  }

  @Test
  void aSlabIsEnoughForATrainingThatMissesAByte() throws Exception {
    try (CudaDevice device = gpu();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      long free = device.bytesForOthers().orElseThrow();
      try (DeviceReserve reserve = reserve(cache, free + 1)) {
        reserve.check();
        reserve.check();
      }

      int slots = (SLABS - 1) * SLAB_SLOTS;
      assertThat(shrank)
          .containsExactly(
              new CairnEvent.CacheShrank((long) SLAB_SLOTS * CHUNK_BYTES, slots, free));
      assertThat(cache.slots()).isEqualTo(slots);
    }
  }

  @Test
  void nothingIsGivenUpWhileTheReserveIsFree() throws Exception {
    try (CudaDevice device = gpu();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES);
        DeviceReserve reserve = reserve(cache, device.bytesForOthers().orElseThrow())) {
      reserve.check();

      assertThat(shrank).isEmpty();
    }
  }

  @Test
  void theCacheKeepsItsLastSlab() throws Exception {
    try (CudaDevice device = gpu();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES);
        DeviceReserve reserve = reserve(cache, Long.MAX_VALUE)) {
      for (int i = 0; i < 2 * SLABS; i++) {
        reserve.check();
      }

      assertThat(shrank).hasSize(SLABS - 1);
      assertThat(cache.slots()).isEqualTo(SLAB_SLOTS);
      assertThat(cache.freeSlots()).isEqualTo(SLAB_SLOTS);
    }
  }

  @Test
  void sharedMemoryStays() throws Exception {
    try (DeviceMemory device = SharedMemoryDevice.open(root, root, CACHE_BYTES);
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES);
        DeviceReserve reserve = reserve(cache, Long.MAX_VALUE)) {
      reserve.check();

      assertThat(shrank).isEmpty();
    }
  }

  /** Its state fits while two slabs are left, and goes past DEVICE after that. */
  @Test
  void aTrainingGoesOnWhileItsCacheShrinks() throws Exception {
    Places places = new Places(root);
    String[] settings = {
      "device.kind",
      "cuda",
      "cairn.device.cudaLibrary",
      FakeCuda.library(),
      "device.cacheSize",
      Long.toString(CACHE_BYTES),
      "device.reserve",
      EVERYTHING,
      "node.every",
      "1"
    };
    int iteration = 0;
    Outcome last = new Outcome.NotDue(Level.NODE);
    try (CairnEngine cairn = places.open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      cairn.observers().add(this::note);
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      while (shrank.size() < SLABS - 1) {
        toy.run(checkpointer, iteration, iteration + 1).sealed(Level.NODE).get();
        iteration++;
        cairn.reserve().check();
      }
      assertThat(cairn.counters().snapshot())
          .containsEntry("device.givenUp.bytes", (SLABS - 1L) * SLAB_SLOTS * CHUNK_BYTES);
      for (int i = 0; i < 4; i++, iteration++) {
        last = toy.run(checkpointer, iteration, iteration + 1).sealed(Level.NODE).get();
      }
      assertThat(last).as("past DEVICE").isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(cairn.counters().snapshot()).containsEntry("device.fallbacks", 1L);
      assertThat(checkpointer.restore().orElseThrow().id().iteration()).isEqualTo(iteration - 1);
    }
    try (CairnEngine cairn = places.open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().id().iteration()).isEqualTo(iteration - 1);
      assertThat(toy).isEqualTo(Toy.undisturbed(iteration));
    }
  }

  /** Borrowers move their chunks or lose them, and go on without their lender's memory. */
  @Test
  void lentSlotsComeBackFirst() throws Exception {
    try (SharedMachine machine =
        new SharedMachine(
            root,
            Duration.ofSeconds(30),
            UnaryOperator.identity(),
            settings(Long.toString(2 * CACHE_BYTES)),
            settings("8k"))) {
      CyclicBarrier together = new CyclicBarrier(2);
      machine.ranks().each((rank, checkpointer) -> run(machine, rank, checkpointer, together));
    }
  }

  private static String[] settings(String cacheSize) {
    return new String[] {
      "device.kind", "cuda",
      "cairn.device.cudaLibrary", FakeCuda.library(),
      "device.cacheSize", cacheSize,
      "device.reserve", "1",
      "node.every", "1",
      "store.every", "1000"
    };
  }

  private boolean run(
      SharedMachine machine, int rank, Checkpointer checkpointer, CyclicBarrier together)
      throws Exception {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    CheckpointTicket ticket = toy.run(checkpointer, 0, 3);
    assertThat(ticket.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
    assertThat(ticket.sealed(Level.NODE).join()).isInstanceOf(Outcome.Sealed.class);
    together.await();
    if (rank == 0) {
      giveUpAll(machine);
    }
    together.await();
    Outcome last = new Outcome.NotDue(Level.NODE);
    for (int i = 3; i < 9; i++) {
      last = toy.run(checkpointer, i, i + 1).sealed(Level.NODE).join();
    }
    assertThat(last).as("past DEVICE").isEqualTo(new Outcome.Sealed(Level.NODE));
    toy.step(1000);
    assertThat(checkpointer.restore().orElseThrow().id().iteration()).isEqualTo(8);
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
    return true;
  }

  private void giveUpAll(SharedMachine machine) throws IOException {
    ChunkCache cache = machine.cache(0);
    AtomicBoolean lent = new AtomicBoolean();
    try (DeviceReserve reserve =
        new DeviceReserve(
            cache.memory(),
            cache,
            Long.MAX_VALUE,
            machine.ranks().cairn(0).observers(),
            () -> {
              // asked before the borrower is
              lent.compareAndSet(false, cache.lentSlots().leaving() > 0);
              return Optional.of(machine.sharing(0));
            })) {
      while (cache.slots() > 2 * SLAB_SLOTS || cache.shrinking().isUnderWay()) {
        reserve.check();
        Thread.onSpinWait();
      }
    }
    assertThat(lent).as("lent slots were in the way").isTrue();
  }
}
