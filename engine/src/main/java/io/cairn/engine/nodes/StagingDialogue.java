package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.wire.StagingReply;
import io.cairn.core.wire.StagingRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One attempt to have a staging server write one rank's data. The owner announces it, and brings
 * the bytes that the server wants from its own node. Not thread-safe; for one use.
 */
final class StagingDialogue {
  private final Server server;
  private final CheckpointManifest part;
  private final String birth;
  private final CheckpointStore node;
  private final BooleanSupplier givenUp;
  private final LongSupplier nanoTime;
  private final String attempt = UUID.randomUUID().toString();
  private final Map<String, StoreInput> open = new HashMap<>();
  private boolean silent;

  /**
   * A staging server.
   *
   * @param name for messages
   * @param exchange reaches it
   */
  record Server(String name, Exchange exchange) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Says nothing yet.
   *
   * @param part the rank's part of the manifest, as at this node
   * @param birth of the group at this node
   * @param node the group's directory at NODE
   * @param givenUp whether the group gave the checkpoint up
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  StagingDialogue(
      Server server,
      CheckpointManifest part,
      String birth,
      CheckpointStore node,
      BooleanSupplier givenUp,
      LongSupplier nanoTime) {
    this.server = server;
    this.part = part;
    this.birth = birth;
    this.node = node;
    this.givenUp = givenUp;
    this.nanoTime = nanoTime;
  }

  /** Whether the dialogue failed since the server gave no answer. */
  boolean isSilent() {
    return silent;
  }

  /**
   * Speaks with the server until it has written the data.
   *
   * @param owner names this process
   * @param store identity of STORE
   * @return the container at STORE
   * @throws SkippedException if the group gave the checkpoint up
   * @throws IOException if the server refuses, is silent or takes too long, or wants what is not at
   *     this node
   */
  ContainerSummary run(String owner, String store) throws IOException {
    try {
      return speak(
          new StagingRequest.Announce(
              attempt, owner, store, birth, ByteBuffer.wrap(ManifestCodec.encode(part))));
    } finally {
      for (StoreInput input : open.values()) {
        input.close();
      }
    }
  }

  private ContainerSummary speak(StagingRequest first) throws IOException {
    long end = nanoTime.getAsLong() + Partners.longest(part.bytes()).toNanos();
    StagingRequest say = first;
    try {
      while (true) {
        StagingReply reply = ask(say);
        if (reply instanceof StagingReply.Staged staged) {
          return StoreServers.checked(staged.container(), part, server);
        } else if (reply instanceof StagingReply.Refused refused) {
          throw new RefusedException(server + " refuses: " + refused.reason());
        }
        requireWanted(end);
        say =
            reply instanceof StagingReply.Wanted wanted
                ? new StagingRequest.Bring(attempt, wanted.number(), read(wanted))
                : new StagingRequest.Next(attempt);
      }
    } catch (RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      withdraw();
      throw e;
    }
  }

  /** The server ended the attempt. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  private void requireWanted(long end) throws IOException {
    if (givenUp.getAsBoolean()) {
      throw new SkippedException("the group gave up " + part.id() + " while " + server + " wrote");
    } else if (nanoTime.getAsLong() - end >= 0) {
      throw new IOException(server + " takes too long to write " + part.bytes() + " bytes");
    }
  }

  /** The server forgets one that it does not hear of, so no answer is waited for. */
  private void withdraw() {
    if (!silent) {
      var unused = server.exchange().ask(Wire.encode(new StagingRequest.Withdraw(attempt)));
    }
  }

  private StagingReply ask(StagingRequest request) throws IOException {
    try {
      return Wire.decodeStagingReply(
          server.exchange().ask(Wire.encode(request)).toCompletableFuture().get());
    } catch (ExecutionException e) {
      silent = true;
      throw new IOException(Asking.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(server + " answers with what is no reply: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while " + server + " was asked").initCause(e);
    }
  }

  /** The bytes that the server wants, of the rank's own containers only. */
  private ByteBuffer read(StagingReply.Wanted wanted) throws IOException {
    if (!isOfPart(wanted.id(), wanted.container())) {
      throw new IOException(server + " wants " + wanted + ", which it was not offered");
    }
    String path = StoreNames.file(wanted.id(), wanted.container());
    StoreInput input = open.get(path);
    if (input == null) {
      input = node.open(path);
      open.put(path, input);
    }
    if (wanted.offset() > input.length() - wanted.bytes()) {
      throw new IOException(server + " wants " + wanted + " of " + input.length() + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate(wanted.bytes());
    input.readFully(wanted.offset(), bytes);
    return bytes.flip();
  }

  private boolean isOfPart(CheckpointId id, String file) {
    for (ContainerSummary container : part.containers()) {
      if (id.equals(part.id()) && file.equals(container.file())) {
        return true;
      }
      for (Holder holder : container.holders()) {
        if (id.equals(holder.in(part.id().group())) && file.equals(holder.file())) {
          return true;
        }
      }
    }
    return false;
  }
}
