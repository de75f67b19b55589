package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.jspecify.annotations.Nullable;

/** One question or push under way. */
final class Call {
  private final String act;
  private final PeerAddress peer;
  private final int bodyBytes;
  private final boolean push;
  private final Duration limit;
  private final Sender sender;
  private final CompletableFuture<byte[]> answer = new CompletableFuture<>();

  private volatile @Nullable ScheduledFuture<?> timer;

  /** Hands the call to a connection. */
  private interface Sender {
    long send(TransportClient client, RpcResponseCallback callback);
  }

  private Call(
      String act, PeerAddress peer, int bodyBytes, boolean push, Duration limit, Sender sender) {
    this.act = act;
    this.peer = peer;
    this.bodyBytes = bodyBytes;
    this.push = push;
    this.limit = limit;
    this.sender = sender;
  }

  static Call question(PeerAddress peer, byte[] request, PeerLimits limits) {
    return new Call(
        "question of " + request.length + " bytes",
        peer,
        0,
        false,
        limits.answer(),
        (client, callback) -> client.sendRpc(ByteBuffer.wrap(request), callback));
  }

  static Call push(PeerAddress peer, byte[] header, ByteBuffer body, PeerLimits limits) {
    ByteBuffer bytes = body.duplicate();
    int length = bytes.remaining();
    return new Call(
        "push of " + length + " bytes",
        peer,
        length,
        true,
        limits.push(),
        (client, callback) ->
            client.uploadStream(
                new NioManagedBuffer(PeerFrame.announce(length, header)),
                new NioManagedBuffer(bytes),
                callback));
  }

  /** Bytes that count in the window: those of a push's body. */
  int bodyBytes() {
    return bodyBytes;
  }

  boolean isPush() {
    return push;
  }

  Duration limit() {
    return limit;
  }

  /** The peer's answer, or the failure; completes once. */
  CompletableFuture<byte[]> answer() {
    return answer;
  }

  /** Sends the call; {@code late} runs on the event loop if it does not end within the limit. */
  long send(TransportClient client, RpcResponseCallback callback, Runnable late) {
    EventLoop loop = client.getChannel().eventLoop();
    timer = loop.schedule(late, limit.toMillis(), TimeUnit.MILLISECONDS);
    return sender.send(client, callback);
  }

  void succeed(byte[] bytes) {
    cancelTimer();
    answer.complete(bytes);
  }

  void fail(Reason reason, String why) {
    cancelTimer();
    answer.completeExceptionally(new PeerException(peer, reason, act, why));
  }

  private void cancelTimer() {
    ScheduledFuture<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }
}
