package io.cairn.engine.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.core.model.GroupId;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.SharingWire;
import io.cairn.engine.sharing.borrower.Borrower;
import io.cairn.engine.sharing.lender.Lender;
import io.cairn.engine.sharing.lender.LentContainers;
import io.cairn.engine.sharing.peer.ChunkSpan;
import io.cairn.engine.sharing.peer.DaemonThreads;
import io.cairn.engine.sharing.peer.Greeting;
import io.cairn.engine.sharing.peer.PeerCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What peers ask of this process; they are answered when there is somebody to answer for.
 * Thread-safe.
 */
final class HolderService implements PeerService, AutoCloseable {
  private final Consumer<GroupId> shares;
  private final ByteBuffer moving;
  private final ExecutorService mover =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-move"));
  private final CompletableFuture<Holder> ready = new CompletableFuture<>();
  private volatile @Nullable LentContainers containers;

  private record Holder(Greeting greeting, Lender lender, Borrower borrower) {}

  /**
   * Serves nobody yet.
   *
   * @param shares takes the groups of which each rank reports from now on
   */
  HolderService(Consumer<GroupId> shares, int chunkBytes) {
    this.shares = shares;
    this.moving = ByteBuffer.allocateDirect(chunkBytes);
  }

  /** Serves for these from now on. */
  void begin(Greeting greeting, Lender lender, Borrower borrower) {
    ready.complete(new Holder(greeting, lender, borrower));
  }

  /** Writes to NODE for others from now on; closes it in the end. */
  void flushTo(LentContainers writing) {
    containers = writing;
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    return ready.thenCompose(
        holder -> {
          byte[] rest = PeerCall.rest(question);
          return switch (PeerCall.of(question)) {
            case GREET -> CompletableFuture.completedFuture(holder.greeting().encode());
            case LEASE -> holder.lender().answer(rest);
            case NOTICE -> notice(holder.borrower(), SharingWire.decodeAnswer(rest));
            case SHARES -> shares(new String(rest, UTF_8));
            case READ -> holder.lender().read(ChunkSpan.decode(rest));
            case FLUSH -> flush(rest);
            case FLUSHED -> flushed(holder.lender(), SharingWire.decodeRequest(rest));
            case VACATE -> vacate(holder.borrower(), SharingWire.decodeRequest(rest));
            default -> throw new IllegalArgumentException("holders do not take this");
          };
        });
  }

  private CompletionStage<byte[]> shares(String group) {
    String[] parts = group.split("/", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("'" + group + "' names no group");
    }
    shares.accept(new GroupId(parts[0], parts[1]));
    return CompletableFuture.completedFuture(new byte[0]);
  }

  private static CompletionStage<byte[]> notice(Borrower borrower, LeaseAnswer notice) {
    if (notice instanceof LeaseAnswer.Revoked revoked) {
      borrower.lost(revoked.id(), revoked.reason());
    } else if (notice instanceof LeaseAnswer.Rejected rejected) {
      borrower.lost(rejected.id(), rejected.reason());
    }
    return CompletableFuture.completedFuture(new byte[0]);
  }

  private CompletionStage<byte[]> flush(byte[] order) {
    LentContainers writing = containers;
    if (writing == null) {
      throw new IllegalStateException("this holder writes nothing to NODE for others");
    }
    return writing.answer(order);
  }

  private static CompletionStage<byte[]> flushed(Lender lender, LeaseRequest lease) {
    if (!(lease instanceof LeaseRequest.ReleaseSome some)) {
      throw new IllegalArgumentException("no positions are named: " + lease);
    }
    lender.flushed(some.id(), some.positions());
    return CompletableFuture.completedFuture(new byte[0]);
  }

  private CompletionStage<byte[]> vacate(Borrower borrower, LeaseRequest lease) {
    return CompletableFuture.supplyAsync(
        () -> new byte[] {(byte) (borrower.vacate(lease.id(), moving) ? 1 : 0)}, mover);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    if (!ready.isDone()) {
      throw new IOException("nothing is granted yet");
    }
    return ready.join().lender().receive(header, bytes);
  }

  /** Ends what it does in the background; the transport is closed before. */
  @Override
  public void close() {
    mover.shutdownNow();
    LentContainers writing = containers;
    if (writing != null) {
      writing.close();
    }
  }
}
