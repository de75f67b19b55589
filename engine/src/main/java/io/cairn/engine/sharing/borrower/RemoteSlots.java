package io.cairn.engine.sharing.borrower;

import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEngine;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Copies to and from the slots of one lease at a lender whose memory is out of reach, such as one
 * on another machine. Chunks are pushed there, and read back piece by piece once the lender has
 * acknowledged them. An address is a span of the slots, which lie one after the other in the order
 * of the lease. Thread-safe.
 */
final class RemoteSlots implements CopyEngine {
  private final LeaseId id;
  private final HolderId lender;
  private final int slots;
  private final int chunkBytes;
  private final PushQueue pushes;
  private final Asking asking;
  private final Waits waits;

  private final long device = DeviceAddress.newDevice();

  /** Requests bytes of a slot from the lender, at most as many as a reply may have. */
  @FunctionalInterface
  interface Asking {
    CompletionStage<PeerReply.Piece> read(ChunkSpan span);
  }

  RemoteSlots(
      LeaseId id,
      HolderId lender,
      int slots,
      int chunkBytes,
      PushQueue pushes,
      Asking asking,
      Waits waits) {
    this.id = id;
    this.lender = lender;
    this.slots = slots;
    this.chunkBytes = chunkBytes;
    this.pushes = pushes;
    this.asking = asking;
    this.waits = waits;
  }

  /** The places of all slots, for one checkpoint. */
  LeasedPlaces places(Runnable giveBack) {
    List<Place> places = new ArrayList<>(slots);
    for (int slot = 0; slot < slots; slot++) {
      places.add(new Place(this, address(slot)));
    }
    return new LeasedPlaces(IntStream.range(0, slots).toArray(), places::get, giveBack);
  }

  DeviceAddress address(int slot) {
    return new DeviceAddress(device, (long) slot * chunkBytes, chunkBytes);
  }

  @Override
  public String describe() {
    return "slots lent by " + lender;
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    List<ChunkPush.Order> orders = new ArrayList<>(batch.chunks());
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      orders.add(
          new ChunkPush.Order(
              lender.address(),
              span(batch.target(chunk)),
              batch.source(chunk).requireHost(this),
              batch.sourceOffset(chunk),
              new CompletableFuture<>()));
    }
    pushes.send(orders);
    return NetworkCopy.toPeer(
        "copy of " + orders.size() + " chunks to " + describe(),
        orders.stream().map(ChunkPush.Order::ending).toList(),
        waits);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    ChunkSpan span = span(source);
    if (target.remaining() != source.bytes()) {
      throw new IllegalArgumentException(
          "copy of " + source.bytes() + " bytes into a buffer of " + target.remaining());
    }
    ByteBuffer into = target.duplicate();
    return NetworkCopy.fromPeer("copy of " + span + " from " + describe(), read(span, into), waits);
  }

  /** Reads a span, one piece after the other. */
  private CompletionStage<Void> read(ChunkSpan left, ByteBuffer into) {
    int bytes = Math.min(left.bytes(), PeerReply.Piece.MOST_BYTES);
    ChunkSpan piece = new ChunkSpan(id, left.position(), left.offset(), bytes);
    return asking
        .read(piece)
        .thenCompose(
            answer -> {
              ByteBuffer came = answer.bytes();
              if (came.remaining() != bytes) {
                return CompletableFuture.failedFuture(
                    new IOException(came.remaining() + " bytes came for " + piece));
              }
              into.put(came);
              return left.bytes() == bytes
                  ? CompletableFuture.completedFuture(null)
                  : read(
                      new ChunkSpan(id, left.position(), piece.end(), left.bytes() - bytes), into);
            });
  }

  private ChunkSpan span(DeviceAddress address) {
    long slot = address.offset() / chunkBytes;
    long offset = address.offset() % chunkBytes;
    if (address.device() != device
        || slot >= slots
        || address.bytes() < 1
        || offset + address.bytes() > chunkBytes) {
      throw new IllegalArgumentException(address + " is not an address of " + describe());
    }
    return new ChunkSpan(id, (int) slot, (int) offset, (int) address.bytes());
  }
}
