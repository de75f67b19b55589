package io.cairn.engine.net;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The services of a process at its one address. A question or the header of a push goes to the
 * service of its family, by the code at its head; only that service decodes it. Thread-safe.
 */
public final class Services implements PeerService {
  private final Map<Class<? extends Message>, PeerService> byFamily = new ConcurrentHashMap<>();

  /**
   * Adds a service, or replaces the one of this family.
   *
   * @param family of the messages that it takes; no two services have one in common
   * @return this
   */
  public Services with(Class<? extends Message> family, PeerService service) {
    byFamily.put(family, service);
    return this;
  }

  /** Takes the service of a family away; its messages are refused from now on. */
  public void without(Class<? extends Message> family) {
    byFamily.remove(family);
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    if (Wire.isOfAnotherVersion(question)) {
      // any answer of this version tells an asker that reads it which it is
      return CompletableFuture.completedFuture(Wire.encode(new ExchangeReply.Registered()));
    }
    return of(question).answer(question);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    return of(header).receive(header, bytes);
  }

  /**
   * The service of a message.
   *
   * @throws IllegalArgumentException if there is none
   */
  private PeerService of(byte[] message) {
    Class<?> kind = Wire.kind(message);
    for (Map.Entry<Class<? extends Message>, PeerService> one : byFamily.entrySet()) {
      if (one.getKey().isAssignableFrom(kind)) {
        return one.getValue();
      }
    }
    throw new IllegalArgumentException("this process has no service for a " + kind.getSimpleName());
  }
}
