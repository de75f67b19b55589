package io.cairn.adjoint.history;

import io.cairn.adjoint.history.LoanMessage.Kept;
import io.cairn.adjoint.history.LoanMessage.Lent;
import io.cairn.adjoint.history.LoanMessage.Recall;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that a history borrows from other processes. A thread for each loan waits for what its
 * lender says. A connection ends only after the last copy to the memory behind it. Thread-safe.
 */
final class TakenLoans {
  private static final Logger LOG = LoggerFactory.getLogger(TakenLoans.class);

  /** Chunks that one process lends at once. */
  private record Loan(int lender, LoanChannel channel, OpenedChunks memory) {}

  private final LoanMemory memory;
  private final List<Loan> loans = new ArrayList<>();

  /** Held while states leave for a lender; never with the monitor of this. */
  private final Object recalls = new Object();

  /** Whether states may lie there. */
  private boolean isUsed;

  private boolean closed;

  /** None. */
  TakenLoans(LoanMemory memory) {
    this.memory = memory;
  }

  /** Whether it has given back what it borrowed before. */
  synchronized boolean mayBorrow() {
    return !isUsed && !closed;
  }

  /** The chunks where states may lie. */
  synchronized long used() {
    return isUsed ? chunks() : 0;
  }

  /** All chunks, used or not yet. */
  synchronized long chunks() {
    return loans.stream()
        .flatMap(loan -> loan.memory().addresses().stream())
        .mapToLong(span -> span.bytes() / memory.chunkBytes())
        .sum();
  }

  /**
   * Opens what a process lends, for {@link #use}. This closes the connection.
   *
   * @throws IOException if the memory cannot be opened; the connection is closed then
   */
  void add(int lender, LoanChannel channel, Lent lent) throws IOException {
    OpenedChunks opened = new OpenedChunks();
    Loan loan = new Loan(lender, channel, opened);
    boolean isTaken = false;
    try {
      opened.open(memory.device(), memory.chunkBytes(), lent.spans(), lent.slabs()::get);
      isTaken = take(loan);
    } finally {
      if (!isTaken) {
        end(loan);
      }
    }
    if (isTaken) {
      DaemonThreads.unstarted("cairn-borrowed-" + lender, () -> watch(loan)).start();
    }
  }

  private synchronized boolean take(Loan loan) {
    return mayBorrow() && !loan.memory().addresses().isEmpty() && loans.add(loan);
  }

  /** Uses what it borrowed. */
  synchronized void use() {
    if (!loans.isEmpty() && mayBorrow()) {
      isUsed = true;
      MemoryShelf shelf = memory.shelf();
      shelf.lay(loans.stream().flatMap(loan -> loan.memory().addresses().stream()).toList());
      memory.lending().borrowed(memory.room(), shelf.chunks());
    }
  }

  /** Gives back what it borrowed, if no state lies there. */
  synchronized void giveBack() {
    if (!loans.isEmpty() && memory.lending().returns(memory.room())) {
      loans.forEach(TakenLoans::end);
      loans.clear();
      isUsed = false;
    }
  }

  private static void end(Loan loan) {
    loan.memory().close();
    loan.channel().close();
  }

  /** The history is closed: gives all back, and borrows no more. */
  synchronized void close() {
    closed = true;
    giveBack();
  }

  private void watch(Loan loan) {
    try {
      for (LoanMessage next = loan.channel().receive(); next != null; ) {
        if (!(next instanceof Recall)) {
          throw new IOException("a lender does not send " + next);
        }
        recalled(loan);
        next = loan.channel().receive();
      }
    } catch (IOException e) {
      LOG.debug("the connection to device {} ended", loan.lender(), e);
    }
    gone(loan);
  }

  private void recalled(Loan loan) throws IOException {
    synchronized (recalls) {
      if (has(loan) && memory.lending().evacuate(memory.room())) {
        giveBack();
      }
    }
    if (has(loan)) {
      LOG.info("no other room for states in the memory of device {}: they stay", loan.lender());
      loan.channel().send(new Kept());
    }
  }

  private synchronized boolean has(Loan loan) {
    return loans.contains(loan);
  }

  /** Whether states may lie in a loan that is gone; no copy reaches them from now on. */
  private synchronized boolean mayHoldStates(Loan loan) {
    if (isUsed && loans.contains(loan)) {
      memory.shelf().gone(loan.memory().addresses());
      return true;
    }
    if (loans.remove(loan)) {
      end(loan);
    }
    return false;
  }

  /** The lender has ended, or does not keep to the rules: nothing there counts any more. */
  private void gone(Loan loan) {
    if (!mayHoldStates(loan)) {
      return;
    }
    List<Long> lost = memory.lending().lose(memory.room(), memory.shelf()::isGone);
    if (!lost.isEmpty()) {
      LOG.warn("device {} is gone, and with it the states of steps {}", loan.lender(), lost);
    }
    giveBack();
  }
}
