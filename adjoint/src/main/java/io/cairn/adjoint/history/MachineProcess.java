package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another process of this machine. Thread-safe.
 *
 * @param life memory of it that ends with its last thread
 * @param transport asks it
 * @param patience the longest wait for an answer
 */
record MachineProcess(
    PeerAddress address, DeviceMemory.Opened life, PeerTransport transport, Duration patience)
    implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MachineProcess.class);

  /** Whether it is proven that it writes to no memory of others any more. */
  boolean isGone() {
    try {
      return life.ownerIsGone();
    } catch (ClosedChannelException e) { // this was closed meanwhile
      LOG.debug("nobody asks any more whether {} lives", address, e);
      return false;
    } catch (IOException e) {
      LOG.warn("it is unknown whether {} lives; it counts as alive", address, e);
      return false;
    }
  }

  /** Asks; fails if no answer comes, or if it is of another kind. */
  <R extends Message> CompletableFuture<R> send(PeerRequest question, Class<R> expected) {
    return transport
        .ask(address, Wire.encode(question))
        .thenApply(bytes -> Wire.decode(bytes, expected))
        .toCompletableFuture();
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws IOException if none comes, or it is of another kind, or the wait is interrupted
   */
  <R extends Message> R ask(PeerRequest question, Class<R> expected) throws IOException {
    try {
      return send(question, expected).get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(address + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + address + " was asked", e);
    }
  }

  @Override
  public void close() {
    life.close();
  }
}
