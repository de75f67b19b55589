package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.ChunkReceivedCallback;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;

/**
 * The network layer's own client, without what {@link SparkPeerTransport} puts around it and
 * without proving anything: it says whatever that layer can say. Each stage completes with what
 * came back.
 */
final class RawClient implements AutoCloseable {
  private final TransportContext context =
      new TransportContext(
          PeerConf.of(PeerSecurity.NONE, PeerLimits.DEFAULT), new NoService(), false);
  private final TransportClientFactory factory = context.createClientFactory(List.of());
  private final TransportClient client;

  RawClient(PeerAddress to) throws IOException, InterruptedException {
    client = factory.createUnmanagedClient(to.host(), to.port());
  }

  Channel channel() {
    return client.getChannel();
  }

  CompletableFuture<ByteBuffer> rpc(byte[] message) {
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    client.sendRpc(ByteBuffer.wrap(message), into(answer));
    return answer;
  }

  void oneWay(byte[] message) {
    client.send(ByteBuffer.wrap(message));
  }

  CompletableFuture<ByteBuffer> upload(ByteBuffer announcement, ByteBuffer body) {
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    client.uploadStream(
        new NioManagedBuffer(announcement), new NioManagedBuffer(body), into(answer));
    return answer;
  }

  CompletableFuture<ByteBuffer> chunk() {
    CompletableFuture<ByteBuffer> got = new CompletableFuture<>();
    client.fetchChunk(
        0,
        0,
        new ChunkReceivedCallback() {
          @Override
          public void onSuccess(int index, ManagedBuffer buffer) {
            got.complete(ByteBuffer.allocate((int) buffer.size()));
          }

          @Override
          public void onFailure(int index, Throwable cause) {
            got.completeExceptionally(cause);
          }
        });
    return got;
  }

  CompletableFuture<ByteBuffer> stream(String name) {
    CompletableFuture<ByteBuffer> got = new CompletableFuture<>();
    client.stream(
        name,
        new StreamCallback() {
          @Override
          public void onData(String id, ByteBuffer data) {
            got.complete(ByteBuffer.allocate(data.remaining()));
          }

          @Override
          public void onComplete(String id) {
            got.complete(ByteBuffer.allocate(0));
          }

          @Override
          public void onFailure(String id, Throwable cause) {
            got.completeExceptionally(cause);
          }
        });
    return got;
  }

  static RpcResponseCallback into(CompletableFuture<ByteBuffer> answer) {
    return new RpcResponseCallback() {
      @Override
      public void onSuccess(ByteBuffer response) {
        answer.complete(ByteBuffer.wrap(PeerFrame.rest(response)));
      }

      @Override
      public void onFailure(Throwable cause) {
        answer.completeExceptionally(cause);
      }
    };
  }

  @Override
  public void close() {
    client.close();
    factory.close();
    context.close();
  }
}
