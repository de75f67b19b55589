package io.cairn.engine.session;

import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Growth;
import io.cairn.cache.chunk.LentSlots;
import io.cairn.engine.session.Captures.Request;
import io.cairn.engine.sharing.Sharing;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds slots of the device cache for one rank's captures. One thread at a time uses it. */
final class Reservations {
  /** A capture lands within milliseconds of its call, if its device works. */
  private static final Duration LANDING_WAIT = Duration.ofSeconds(1);

  private static final long MEBIBYTE = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);

  private final SessionContext context;
  private final Member member;

  Reservations(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
  }

  /**
   * Lets the cache grow for checkpoints of this length, if it has no size of its own. Waits until
   * the memory is touched; a cache that cannot grow stays as it is.
   */
  void fit(int chunks) {
    Growth growth = context.cache().growth();
    if (!growth.expect(member.group(), member.rank(), chunks)) {
      return;
    }
    LOG.info(
        "{}: the device cache takes {} MiB of {}. Two states of each rank of this process and a"
            + " chunk, 16 chunks at least, are {} MiB, and a quarter of the memory here is the"
            + " most; device.cacheSize sets another size",
        member,
        mebibytes(growth.bytes()),
        context.cache().memory().describe(),
        mebibytes(growth.wantedBytes()));
    try {
      growth.grow();
    } catch (IOException e) {
      LOG.warn(
          "{}: the device cache stays at {} MiB",
          member,
          mebibytes((long) context.cache().slots() * context.cache().chunkBytes()),
          e);
    }
  }

  private static long mebibytes(long bytes) {
    return (bytes + MEBIBYTE - 1) / MEBIBYTE;
  }

  /** Ends this rank's part in the size of the cache. */
  void forget() {
    context.cache().growth().forget(member.group(), member.rank());
  }

  /** All slots, without waiting; empty if the cache has no room now. */
  Optional<CachedCheckpoint> all(Request request) {
    return context
        .cache()
        .reserve(request.ticket().id(), member.rank(), request.snapshot().chunks());
  }

  /**
   * All slots, or, where the rest may come from lenders, as many as there are. The training thread
   * waits for them as long as a checkpoint may.
   *
   * @param lastLanded completes when the capture before has landed
   */
  CachedCheckpoint await(Request request, CompletableFuture<Void> lastLanded)
      throws NoRoomException {
    Optional<CachedCheckpoint> whole = awaitAll(request, lastLanded);
    Optional<Sharing> sharing = context.sharing().get();
    if (whole.isPresent()) {
      return whole.get();
    } else if (sharing.isEmpty()) {
      throw new NoRoomException(noRoom(request));
    }
    CachedCheckpoint home =
        context
            .cache()
            .reservePart(request.ticket().id(), member.rank(), request.snapshot().chunks());
    claimBack(sharing.get(), home);
    return home;
  }

  /**
   * Waits until the capture before has landed, which cannot be evicted until then, and while the
   * cache could hold the checkpoint, and others occupy it.
   */
  private Optional<CachedCheckpoint> awaitAll(Request request, CompletableFuture<Void> lastLanded) {
    Duration wait = request.mode().isLast() ? context.closeTimeout() : context.captureWait();
    int chunks = request.snapshot().chunks();
    Optional<CachedCheckpoint> all = all(request);
    if (all.isEmpty() && !lastLanded.isDone() && !room(chunks).isTooSmall()) {
      patience(request, LANDING_WAIT).await(lastLanded);
      all = all(request);
    }
    if (all.isEmpty() && !wait.isZero() && !room(chunks).isTooSmall()) {
      TrainingPatience patience = patience(request, wait);
      boolean changed = true;
      while (all.isEmpty() && changed) {
        CompletableFuture<?> room = context.cache().nextRoom();
        all = all(request);
        changed = all.isPresent() || patience.await(room);
      }
    }
    return all;
  }

  private TrainingPatience patience(Request request, Duration time) {
    return TrainingPatience.of(context, member, request.epoch().membership(), time);
  }

  /** Calls leased slots back that are missing at home: the next checkpoint finds them there. */
  private void claimBack(Sharing sharing, CachedCheckpoint home) {
    int missing = home.chunks() - home.placed();
    int lent = context.cache().lentSlots().count();
    if (missing > 0 && lent > 0) {
      sharing.takeBack(Math.min(missing, lent));
    }
  }

  /** Says how much room there is, and the remedy; for a message. */
  String noRoom(Request request) {
    CheckpointRoom room = room(request.snapshot().chunks());
    if (room.isTooSmall()) {
      return room.toString();
    }
    String free =
        String.format(
            Locale.ROOT,
            "%d of %d slots are free, and the rest are in use; ",
            context.cache().freeSlots(),
            room.slots());
    return free + (room.isTight() ? room.toString() : remedy(room, request.epoch().tickets()));
  }

  /** The cache has room for two checkpoints, so a larger one may fill as well. */
  private static String remedy(CheckpointRoom room, Tickets tickets) {
    String takes =
        String.format(Locale.ROOT, "no room: a checkpoint takes %d of them, ", room.chunks());
    Set<Level> slow = tickets.onTheWay();
    if (slow.isEmpty()) {
      return takes
          + "and other ranks of this process, or processes that share its memory, hold the rest:"
          + " set device.cacheSize to room for two checkpoints of each rank";
    }
    String level = Collections.min(slow).name();
    return takes
        + "and earlier ones stay until %s has them: it is slower than its period. Make %s.every longer, or set capture.wait"
            .formatted(level, level.toLowerCase(Locale.ROOT));
  }

  /**
   * Whether the slots that are here cannot hold a checkpoint, so that room at DEVICE depends on
   * other processes: on lenders, or on borrowers that may keep what was lent to them for long.
   */
  boolean needsOthers(Snapshot snapshot) {
    LentSlots lent = context.cache().lentSlots();
    int here = context.cache().slots() - (lent.count() - lent.leaving());
    return new CheckpointRoom(snapshot.chunks(), here, context.cache().chunkBytes()).isTooSmall();
  }

  private CheckpointRoom room(int chunks) {
    return new CheckpointRoom(chunks, context.cache().slots(), context.cache().chunkBytes());
  }

  /**
   * Checks that the cache can hold the protected memory, unless chunks may go to other processes.
   * Without that room every capture would be skipped.
   *
   * @throws RestoreException if it cannot
   */
  void requireRoom(ProtectedRegions regions) {
    fit(regions.fixedChunks());
    if (context.sharing().get().isEmpty()) {
      // a cache that has shrunk since leaves the way past DEVICE
      int slots = context.cache().slotsSoFar();
      requireRoom(new CheckpointRoom(regions.fixedChunks(), slots, context.cache().chunkBytes()));
    }
  }

  private void requireRoom(CheckpointRoom room) {
    if (room.isTooSmall()) {
      throw new RestoreException(member + " cannot be protected: " + room);
    } else if (room.isTight()) {
      LOG.warn(
          "{}: the device cache has room for one checkpoint only, so captures are skipped while it"
              + " is being copied: {}",
          member,
          room);
    }
  }

  /**
   * The room that a checkpoint needs in the device cache, and the room that there is.
   *
   * @param chunks that it needs
   * @param slots of the cache, each for one chunk
   * @param chunkBytes of a slot
   */
  private record CheckpointRoom(int chunks, int slots, int chunkBytes) {
    /** Whether an empty cache is too small. */
    boolean isTooSmall() {
      return chunks > slots;
    }

    /** Whether the cache holds one checkpoint, and not the next one beside it. */
    boolean isTight() {
      return !isTooSmall() && 2L * chunks > slots;
    }

    /** The sizes, and the setting that helps; for a message. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "no room: a checkpoint takes %s, and the device cache holds %s: set device.cacheSize to"
              + " %dm or more",
          size(chunks),
          size(slots),
          Reservations.mebibytes(2L * chunks * chunkBytes));
    }

    private String size(int count) {
      return String.format(Locale.ROOT, "%d chunks of %d KiB", count, chunkBytes >> 10);
    }
  }

  /** A checkpoint has no place at DEVICE for all of its chunks. Nothing of it is kept there. */
  static final class NoRoomException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    /** With the sizes. */
    NoRoomException(String reason) {
      super(reason);
      this.reason = reason;
    }

    /** Since a peer failed. */
    NoRoomException(RuntimeException failure) {
      super(failure);
      this.reason = failure.toString();
    }

    /** For the outcome of the checkpoint. */
    String reason() {
      return reason;
    }
  }
}
