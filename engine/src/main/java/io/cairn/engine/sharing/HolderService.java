package io.cairn.engine.sharing;

import io.cairn.GroupId;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.borrower.Borrower;
import io.cairn.engine.sharing.lender.LeaseContainers;
import io.cairn.engine.sharing.lender.Lender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of peers, and receives their pushes. Requests wait until lender and borrower
 * exist. Thread-safe.
 */
final class HolderService implements PeerService, AutoCloseable {
  private static final CompletionStage<PeerReply.Done> DONE =
      CompletableFuture.completedStage(new PeerReply.Done());

  private final Consumer<GroupId> shares;
  private final ByteBuffer moving;
  private final ExecutorService mover;
  private final CompletableFuture<Holder> ready = new CompletableFuture<>();
  private volatile @Nullable LeaseContainers containers;

  private record Holder(Supplier<Greeting> greeting, Lender lender, Borrower borrower) {}

  /**
   * Serves nobody before {@link #begin}.
   *
   * @param shares takes the groups of which each rank must report
   * @param mover moves chunks out of the slots of lenders; ends with this
   */
  HolderService(Consumer<GroupId> shares, int chunkBytes, ExecutorService mover) {
    this.shares = shares;
    this.mover = mover;
    this.moving = ByteBuffer.allocateDirect(chunkBytes);
  }

  /**
   * Serves from now on, for this lender and this borrower.
   *
   * @param greeting with the slots that the cache has when it is asked
   */
  void begin(Supplier<Greeting> greeting, Lender lender, Borrower borrower) {
    ready.complete(new Holder(greeting, lender, borrower));
  }

  /** Writes to NODE for borrowers from now on; {@link #close} closes the writer. */
  void flushTo(LeaseContainers writing) {
    containers = writing;
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    return ready
        .thenCompose(holder -> answer(holder, Wire.decode(question, PeerRequest.ToHolder.class)))
        .thenApply(Wire::encode);
  }

  private CompletionStage<? extends PeerReply> answer(Holder holder, PeerRequest.ToHolder request) {
    if (request instanceof PeerRequest.Greet) {
      return CompletableFuture.completedFuture(holder.greeting().get());
    } else if (request instanceof PeerRequest.Lease lease) {
      return holder.lender().answer(lease.request()).thenApply(PeerReply.Leased::new);
    } else if (request instanceof PeerRequest.Notice notice) {
      return notice(holder.borrower(), notice.answer());
    } else if (request instanceof PeerRequest.Shares shared) {
      shares.accept(shared.group());
      return DONE;
    } else if (request instanceof PeerRequest.Read read) {
      return holder.lender().read(read.span());
    } else if (request instanceof PeerRequest.Flush order) {
      return flush(order);
    } else if (request instanceof PeerRequest.Flushed flushed) {
      holder.lender().flushed(flushed.lease(), flushed.positions());
      return DONE;
    } else if (request instanceof PeerRequest.Vacate vacate) {
      return vacate(holder.borrower(), vacate.lease());
    }
    throw new IllegalArgumentException("a holder does not answer " + request);
  }

  private static CompletionStage<PeerReply.Done> notice(Borrower borrower, LeaseAnswer notice) {
    if (notice instanceof LeaseAnswer.Revoked revoked) {
      borrower.lost(revoked.id(), revoked.reason());
    } else if (notice instanceof LeaseAnswer.Rejected rejected) {
      borrower.lost(rejected.id(), rejected.reason());
    }
    // any other answer belongs to a request that was given up; its lease is released
    return DONE;
  }

  private CompletionStage<PeerReply.Flushing> flush(PeerRequest.Flush order) {
    LeaseContainers writing = containers;
    if (writing == null) {
      throw new IllegalStateException("this holder writes nothing to NODE for borrowers");
    }
    return writing.answer(order);
  }

  private CompletionStage<PeerReply.Vacated> vacate(Borrower borrower, LeaseId lease) {
    return CompletableFuture.supplyAsync(
        () -> new PeerReply.Vacated(borrower.vacate(lease, moving)), mover);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    if (!ready.isDone()) {
      throw new IOException("nothing is granted yet");
    }
    return ready.join().lender().receive(header, bytes);
  }

  /** Ends its background work; the caller closes the transport first. */
  @Override
  public void close() {
    mover.shutdownNow();
    LeaseContainers writing = containers;
    if (writing != null) {
      writing.close();
    }
  }
}
