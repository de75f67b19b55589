package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.StagingReply;
import io.cairn.engine.coordination.Waits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One order at a staging server: on one side its owner, which asks what is wanted; on the other the
 * thread that writes, which wants bytes. An owner that asks nothing for {@value #SILENT_SECONDS}
 * seconds counts as lost. Thread-safe.
 */
final class StagedOrder {
  /** An owner asks again after each answer, so it is silent for no longer than an answer takes. */
  static final long SILENT_SECONDS = 30;

  /** After so long an owner learns that nothing is wanted. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final String owner;
  private final CheckpointManifest part;
  private final String birth;
  private final Waits waits;
  private final LongSupplier nanoTime;
  private long askedAt;
  private long wishes;
  private @Nullable Wish wish;
  private @Nullable StagingReply end;
  private boolean isEndKnown;
  private boolean isWithdrawn;

  /** The owner's question that is not answered yet. */
  private CompletableFuture<StagingReply> question =
      CompletableFuture.completedFuture(new StagingReply.Nothing());

  /** Bytes that the writing thread wants. */
  private record Wish(StagingReply.Wanted wanted, CompletableFuture<ByteBuffer> bytes) {}

  /**
   * An order whose owner has just announced it.
   *
   * @param owner for messages
   * @param birth of its group
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  StagedOrder(
      String owner, CheckpointManifest part, String birth, Waits waits, LongSupplier nanoTime) {
    this.owner = owner;
    this.part = part;
    this.birth = birth;
    this.waits = waits;
    this.nanoTime = nanoTime;
    this.askedAt = nanoTime.getAsLong();
  }

  /** The rank's part of the manifest. */
  CheckpointManifest part() {
    return part;
  }

  /** The birth of the group. */
  String birth() {
    return birth;
  }

  /** Answers the owner: the end, the bytes that are wanted, or after a while nothing. */
  synchronized CompletionStage<StagingReply> next() {
    askedAt = nanoTime.getAsLong();
    question.complete(new StagingReply.Nothing()); // a former one, which nobody waits for
    if (end != null) {
      isEndKnown = true;
      return CompletableFuture.completedFuture(end);
    } else if (wish != null) {
      return CompletableFuture.completedFuture(wish.wanted());
    }
    question = new CompletableFuture<>();
    return waits.completeAfter(question, new StagingReply.Nothing(), HOLD.toNanos());
  }

  /** Takes bytes from the owner; those that are not wanted are ignored. */
  synchronized void bring(long number, ByteBuffer bytes) {
    Wish open = wish;
    if (open != null
        && open.wanted().number() == number
        && open.wanted().bytes() == bytes.remaining()) {
      wish = null;
      open.bytes().complete(bytes);
    }
  }

  /**
   * The owner, or this server, needs the order no more: the writing thread fails at its next wish.
   */
  synchronized void withdraw(String reason) {
    isWithdrawn = true;
    if (wish != null) {
      wish.bytes().completeExceptionally(new IOException(reason));
      wish = null;
    }
  }

  /** The order came to an end, which the owner learns. */
  synchronized void end(StagingReply reply) {
    end = reply;
    isEndKnown = question.complete(reply);
  }

  /** Whether nothing more is said about the order. */
  synchronized boolean isOver() {
    return end != null && (isEndKnown || isWithdrawn || isSilent());
  }

  /** Whether it came to an end that its owner may still ask for. */
  synchronized boolean isEnded() {
    return end != null;
  }

  private boolean isSilent() {
    return nanoTime.getAsLong() - askedAt > Duration.ofSeconds(SILENT_SECONDS).toNanos();
  }

  /** Asks the owner for bytes of a container at its node; one wish at a time. */
  synchronized CompletableFuture<ByteBuffer> want(
      CheckpointId id, String container, long offset, int bytes) throws IOException {
    requireOwner();
    StagingReply.Wanted wanted = new StagingReply.Wanted(++wishes, id, container, offset, bytes);
    CompletableFuture<ByteBuffer> brought = new CompletableFuture<>();
    wish = new Wish(wanted, brought);
    question.complete(wanted);
    return brought;
  }

  /**
   * Fails if nobody waits for the data any more.
   *
   * @throws IOException if the owner withdrew the order, or is lost
   */
  synchronized void requireOwner() throws IOException {
    if (isWithdrawn) {
      throw new IOException(owner + " needs " + part.id() + " at STORE no more");
    } else if (isSilent()) {
      throw new IOException(owner + " asks nothing any more about " + part.id());
    }
  }

  /**
   * Waits for the bytes of a wish.
   *
   * @throws IOException if the owner withdrew the order, or is lost
   */
  ByteBuffer await(CompletableFuture<ByteBuffer> brought) throws IOException {
    try {
      while (!waits.await(brought, LOOK.toNanos())) {
        requireOwner();
      }
      return brought.get();
    } catch (ExecutionException e) {
      throw new IOException(Asking.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while " + owner + " was awaited").initCause(e);
    }
  }

  @Override
  public String toString() {
    return "%s, ranks %s, of %s".formatted(part.id(), part.ranks(), owner);
  }
}
