package io.cairn.spark.peer;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.jspecify.annotations.Nullable;

/**
 * What comes in over connections that were let in. Where peers authenticate themselves, the network
 * layer hands nothing of theirs here before they have. Thread-safe.
 */
final class Reception extends RpcHandler {
  private final PeerService service;
  private final PeerLimits limits;
  private final StreamManager streams = new NoStreams();
  private final OpenSinks sinks = new OpenSinks();
  private final AtomicInteger questions = new AtomicInteger();

  /** Closes what is added after it was closed. */
  private final ChannelGroup connections =
      new DefaultChannelGroup("cairn-peers", GlobalEventExecutor.INSTANCE, true);

  Reception(PeerService service, PeerLimits limits) {
    this.service = service;
    this.limits = limits;
  }

  @Override
  public StreamManager getStreamManager() {
    return streams;
  }

  @Override
  public void channelActive(TransportClient client) {
    Channel channel = client.getChannel();
    connections.add(channel);
    if (connections.size() > limits.maxConnections()) {
      Inbound.hangUp(channel, "one connection more than " + limits.maxConnections());
      return;
    }
    Inbound.install(channel);
    Inbound.of(channel).expectWord(channel, limits.connect().toMillis());
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound.of(client.getChannel()).hear();
    byte[] request = PeerFrame.rest(message);
    if (questions.incrementAndGet() > limits.maxQuestions()) {
      questions.decrementAndGet();
      callback.onSuccess(PeerFrame.refused(limits.maxQuestions() + " questions are open"));
      return;
    }
    answer(request)
        .whenComplete(
            (answer, failure) -> {
              questions.decrementAndGet();
              if (client.isActive()) {
                callback.onSuccess(reply(answer, failure));
              }
            });
  }

  private CompletionStage<byte[]> answer(byte[] request) {
    if (request.length > PeerTransport.MAX_MESSAGE_BYTES) {
      return CompletableFuture.failedFuture(
          new IOException("a question of " + request.length + " bytes"));
    }
    try {
      return service.answer(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ByteBuffer reply(byte @Nullable [] answer, @Nullable Throwable failure) {
    if (failure != null || answer == null) {
      return PeerFrame.refused(failure == null ? "no answer" : Refusal.of(failure));
    }
    return answer.length > PeerTransport.MAX_MESSAGE_BYTES
        ? PeerFrame.refused("its answer has " + answer.length + " bytes")
        : PeerFrame.done(answer);
  }

  /** A message that wants no answer: none of ours is one. */
  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    Inbound.hangUp(client.getChannel(), "a message that wants no answer");
  }

  /** What it throws ends the connection. */
  @Override
  public StreamCallbackWithID receiveStream(
      TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound inbound = Inbound.of(client.getChannel());
    inbound.hear();
    long bytes = PeerFrame.announcedBytes(message);
    try {
      return ArrivingPush.into(
          service.receive(PeerFrame.rest(message), bytes), bytes, inbound, sinks);
    } catch (IOException | RuntimeException e) {
      return ArrivingPush.refused(Refusal.of(e), bytes, inbound, sinks);
    }
  }

  /**
   * Hangs up on everybody, and waits until no sink is written any more.
   *
   * @return whether that came about in time
   */
  boolean close(long millis) throws InterruptedException {
    return connections.close().await(millis) && sinks.awaitNone(millis);
  }
}
