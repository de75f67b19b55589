package io.cairn.engine.sharing.holders;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.sharing.Occupancy;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.sharing.Sharing;
import io.cairn.flush.store.CountingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The commands of a holder's process. One thread. */
final class HolderCommands {
  private final CairnEngine cairn;
  private final CountingStore store;
  private final GatedMemory memory;
  private final AtomicBoolean holdPush;
  private final String group;
  private final int chunks;
  private final Training training;
  private @Nullable ChunkCache cache;
  private @Nullable Sharing sharing;
  private long next;

  HolderCommands(
      CairnEngine cairn,
      CountingStore store,
      GatedMemory memory,
      AtomicBoolean holdPush,
      String group,
      int chunks) {
    this.cairn = cairn;
    this.store = store;
    this.memory = memory;
    this.holdPush = holdPush;
    this.group = group;
    this.chunks = chunks;
    this.training = new Training(group, chunks);
  }

  /** Remembers what it shares, and gives it back. */
  Sharing sharing(ChunkCache itsCache, Sharing itsSharing) {
    cache = itsCache;
    sharing = itsSharing;
    return itsSharing;
  }

  /** Takes lines until one says {@code end}. */
  void run(Checkpointer checkpointer, BlockingQueue<String> lines) throws Exception {
    checkpointer.protect(Region.of("state", training.state()));
    HolderProcess.say("ready " + Objects.requireNonNull(sharing).holder());
    for (String line = lines.take(); !line.equals("end"); line = lines.take()) {
      String[] words = line.split(" ", -1);
      HolderProcess.say(words[0] + " " + answer(checkpointer, words));
    }
  }

  private String answer(Checkpointer checkpointer, String[] words) throws Exception {
    return switch (words[0]) {
      case "hold" -> hold(Integer.parseInt(words[1]));
      case "holdpush" -> holdPush();
      case "train" -> train(checkpointer, Integer.parseInt(words[1]), Level.valueOf(words[2]));
      case "restore" -> restore(checkpointer);
      case "status" -> status();
      case "verify" -> verify();
      default -> throw new IllegalArgumentException("no such command: " + words[0]);
    };
  }

  /** {@code hold N}: stands still in the middle of the nth copy to a peer from now on. */
  private String hold(int copies) {
    memory.hold(copies);
    return "set";
  }

  /** {@code holdpush}: stands still in the middle of the next push that it receives. */
  private String holdPush() {
    holdPush.set(true);
    return "set";
  }

  /** {@code train N LEVEL}: so many steps; how each checkpoint ended at the level. */
  private String train(Checkpointer checkpointer, int steps, Level level) {
    List<String> outcomes = new ArrayList<>();
    for (long end = next + steps; next < end; next++) {
      training.step(next);
      CheckpointTicket ticket = checkpointer.checkpoint(next);
      ticket.captured().join();
      Outcome outcome = ticket.sealed(level).join();
      outcomes.add(outcome.getClass().getSimpleName());
    }
    return String.join(",", outcomes);
  }

  /**
   * {@code restore}: after a bad step, to the newest; {@code none}, or iteration, level, and what
   * was read from STORE. Fails if a byte is not as it was.
   */
  private String restore(Checkpointer checkpointer) {
    training.spoil();
    long before = store.containerBytesRead();
    Optional<RestoreReport> report = checkpointer.restore();
    if (report.isEmpty()) {
      return "none";
    }
    long iteration = report.get().id().iteration();
    if (!training.bytes().equals(Training.undisturbed(group, chunks, iteration))) {
      throw new IllegalStateException("restored something else than " + report);
    }
    next = iteration + 1;
    return String.format(
        Locale.ROOT,
        "%d %s %d",
        iteration,
        report.get().level(),
        store.containerBytesRead() - before);
  }

  /** {@code status}: what {@link HolderStatus} reads. */
  private String status() {
    Occupancy lent = Objects.requireNonNull(sharing).lent().toCompletableFuture().join();
    return String.format(
        Locale.ROOT,
        "%d %d %d %d %d %d %d %d %d",
        lent.lent(),
        lent.filling(),
        lent.held(),
        lent.quarantined(),
        Objects.requireNonNull(sharing).leases(),
        cairn.counters().snapshot().get("device.withdrawals"),
        cairn.counters().snapshot().get("device.evictions"),
        Objects.requireNonNull(cache).freeSlots(),
        atDevice().size());
  }

  /** {@code verify}: reads every byte of what is at DEVICE; how many checkpoints that are. */
  private String verify() throws IOException {
    List<CachedCheckpoint> held = atDevice();
    for (CachedCheckpoint checkpoint : held) {
      requireUndisturbed(checkpoint);
    }
    return Integer.toString(held.size());
  }

  private List<CachedCheckpoint> atDevice() {
    GroupId own = new GroupId(cairn.config().job(), group);
    return Objects.requireNonNull(cache).of(own, 0);
  }

  private void requireUndisturbed(CachedCheckpoint checkpoint) throws IOException {
    CheckpointId id = checkpoint.id();
    ByteBuffer found = ByteBuffer.allocate(chunks * Training.CHUNK_BYTES);
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      for (int chunk = 0; chunk < chunks; chunk++) {
        pin.reader().read(0, chunk, found);
      }
    }
    if (!found.flip().equals(Training.undisturbed(group, chunks, id.iteration()))) {
      throw new IllegalStateException("at DEVICE is something else than " + id);
    }
  }
}
