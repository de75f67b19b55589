package io.cairn.spark.peer;

import io.cairn.core.peer.OpenAnswers;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Refusal;
import io.cairn.core.threads.DaemonThreads;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.AttributeKey;
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
 * Receives the requests and pushes of accepted connections. With authentication, the network layer
 * delivers messages of authenticated peers only. Thread-safe.
 */
final class Reception extends RpcHandler {
  private static final AttributeKey<ReplyQueue> REPLIES = AttributeKey.valueOf("cairnReplies");

  /** The questions of a connection that are not answered yet. */
  private static final AttributeKey<OpenAnswers> OPEN = AttributeKey.valueOf("cairnOpen");

  private final PeerService service;
  private final PeerLimits limits;
  private final StreamManager streams = new NoStreams();
  private final OpenSinks sinks = new OpenSinks();
  private final AtomicInteger questions = new AtomicInteger();

  /** Closes a connection that is added after the group was closed. */
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
      Inbound.disconnect(channel, "more than " + limits.maxConnections() + " connections");
      return;
    }
    Inbound.install(channel);
    JoinedFrames.install(channel);
    channel.attr(OPEN).set(new OpenAnswers());
    channel.attr(REPLIES).set(new ReplyQueue(channel.eventLoop()));
    Inbound.of(channel).expectMessage(channel, limits.connect().toMillis());
  }

  @Override
  public void channelInactive(TransportClient client) {
    OpenAnswers open = client.getChannel().attr(OPEN).get();
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound.of(client.getChannel()).onMessage();
    byte[] request = PeerFrame.rest(message);
    if (questions.incrementAndGet() > limits.maxQuestions()) {
      questions.decrementAndGet();
      callback.onSuccess(PeerFrame.refused(limits.maxQuestions() + " questions are open"));
      return;
    }
    ReplyQueue replies = client.getChannel().attr(REPLIES).get();
    OpenAnswers open = client.getChannel().attr(OPEN).get();
    CompletableFuture<byte[]> answering = answer(request).toCompletableFuture();
    long number = open.add(answering);
    var unused =
        answering.whenComplete(
            (answer, failure) -> {
              open.remove(number);
              questions.decrementAndGet();
              replies.add(
                  () -> {
                    if (client.isActive()) {
                      callback.onSuccess(reply(answer, failure));
                    }
                  });
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
    } catch (Error e) { // the network layer would log it, and let the peer wait
      DaemonThreads.report("The service for peers", e);
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

  /** A message without an answer: peers send none. */
  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    Inbound.disconnect(client.getChannel(), "a message without an answer");
  }

  /** An exception from here ends the connection. */
  @Override
  public StreamCallbackWithID receiveStream(
      TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound inbound = Inbound.of(client.getChannel());
    inbound.onMessage();
    long bytes = PeerFrame.announcedBytes(message);
    try {
      return ArrivingPush.into(
          service.receive(PeerFrame.rest(message), bytes), bytes, inbound, sinks);
    } catch (IOException | RuntimeException e) {
      return ArrivingPush.refused(Refusal.of(e), bytes, inbound, sinks);
    }
  }

  /**
   * Disconnects every peer, and waits until no sink is written any more.
   *
   * @return false if some sink was still open at the time's end
   */
  boolean close(long millis) throws InterruptedException {
    return connections.close().await(millis) && sinks.awaitNone(millis);
  }
}
