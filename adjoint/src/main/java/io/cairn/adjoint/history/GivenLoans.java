package io.cairn.adjoint.history;

import io.cairn.adjoint.history.LoanMessage.Borrow;
import io.cairn.adjoint.history.LoanMessage.Kept;
import io.cairn.adjoint.history.LoanMessage.Lent;
import io.cairn.adjoint.history.LoanMessage.Recall;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that a history lends to other processes. A chunk comes back when its borrower ends the
 * connection, or dies; whatever the lender wants, it uses the chunk no earlier. Thread-safe.
 */
final class GivenLoans {
  private static final Logger LOG = LoggerFactory.getLogger(GivenLoans.class);

  private static final class Loan {
    final int borrower;
    final LoanChannel channel;
    final int[] chunks;

    /** To the newest recall: whether the chunks came back. */
    CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(false);

    Loan(int borrower, LoanChannel channel, int[] chunks) {
      this.borrower = borrower;
      this.channel = channel;
      this.chunks = chunks;
    }
  }

  private final LoanMemory memory;
  private final List<Loan> loans = new ArrayList<>();
  private boolean closed;
  private @Nullable Runnable release;

  /** None. */
  GivenLoans(LoanMemory memory) {
    this.memory = memory;
  }

  synchronized long chunks() {
    return loans.stream().mapToLong(loan -> loan.chunks.length).sum();
  }

  synchronized long bytes() {
    return chunks() * memory.chunkBytes();
  }

  /**
   * Lends as many chunks as the history has free, up to the number asked for. Waits until they come
   * back.
   *
   * @throws IOException if nothing was lent, since the connection has failed
   */
  void serve(LoanChannel channel, Borrow request) throws IOException {
    Loan loan = lend(channel, request);
    if (loan == null) {
      channel.send(new Lent(List.of(), List.of()));
      return;
    }
    try {
      channel.send(lent(loan.chunks));
      awaitReturn(loan);
    } catch (IOException e) {
      LOG.warn("device {} does not keep to the rules of a loan", loan.borrower, e);
      channel.awaitEnd();
    } finally {
      returned(loan);
    }
  }

  private synchronized @Nullable Loan lend(LoanChannel channel, Borrow request) {
    if (closed || request.chunkBytes() != memory.chunkBytes()) {
      return null;
    }
    int[] chunks = memory.lending().lend(Math.min(request.most(), LoanMessage.MOST_CHUNKS));
    if (chunks.length == 0) {
      return null;
    }
    Loan loan = new Loan(request.device(), channel, chunks);
    loans.add(loan);
    return loan;
  }

  private Lent lent(int[] chunks) {
    List<ExportedMemory> slabs = new ArrayList<>();
    List<LentSpan> spans = new ArrayList<>();
    int last = -1;
    for (LentSpan span : LentSpan.of(chunks, memory.chunksPerSlab())) {
      if (span.slab() != last) {
        last = span.slab();
        slabs.add(memory.device().export(memory.slabs().get(last)));
      }
      spans.add(new LentSpan(slabs.size() - 1, span.first(), span.chunks()));
    }
    return new Lent(slabs, spans);
  }

  private void awaitReturn(Loan loan) throws IOException {
    for (LoanMessage next = loan.channel.receive(); next != null; ) {
      if (!(next instanceof Kept)) {
        throw new IOException("a borrower does not send " + next);
      }
      kept(loan);
      next = loan.channel.receive();
    }
  }

  private synchronized void kept(Loan loan) {
    loan.answer.complete(false);
  }

  private void returned(Loan loan) {
    Runnable last;
    synchronized (this) {
      memory.lending().takeBack(loan.chunks);
      loans.remove(loan);
      loan.answer.complete(true);
      last = loans.isEmpty() ? release : null;
      release = last == null ? release : null;
    }
    if (last != null) {
      free(last);
    }
  }

  private static void free(Runnable memory) {
    try {
      memory.run();
    } catch (IllegalStateException e) {
      LOG.debug("the device was closed while others had its memory", e);
    }
  }

  /**
   * Takes back what it lent, as far as borrowers have room elsewhere.
   *
   * @param patience the longest wait for them
   * @return whether something came back
   */
  boolean recall(Duration patience) {
    List<CompletableFuture<Boolean>> answers = ask();
    try {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn("borrowers do not answer within {}: they keep what they have", patience, e);
    } catch (ExecutionException e) {
      throw new AssertionError("no answer fails", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answers.stream().anyMatch(answer -> answer.getNow(false));
  }

  private synchronized List<CompletableFuture<Boolean>> ask() {
    for (Loan loan : loans) {
      if (loan.answer.isDone()) {
        loan.answer = new CompletableFuture<>();
        send(loan);
      }
    }
    return loans.stream().map(loan -> loan.answer).toList();
  }

  private static void send(Loan loan) {
    try {
      loan.channel.send(new Recall());
    } catch (IOException e) { // its end is noticed by the thread that waits for it
      LOG.debug("device {} gives back what it borrowed at this moment", loan.borrower, e);
    }
  }

  /** The history is closed: lends nothing more. Runs something as soon as nobody borrows. */
  void leave(Runnable then) {
    synchronized (this) {
      closed = true;
      if (!loans.isEmpty()) {
        release = then;
        return;
      }
    }
    then.run();
  }
}
