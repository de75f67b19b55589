package io.cairn.spark.peer;

import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/**
 * Serves no request over connections that this process opened: the far end could send one before
 * either end is authenticated. A peer that does is disconnected.
 */
final class NoService extends RpcHandler {
  private final StreamManager streams = new NoStreams();

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound.disconnect(
        client.getChannel(), "a request over a connection that was opened from here");
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    Inbound.disconnect(
        client.getChannel(), "a request over a connection that was opened from here");
  }

  @Override
  public StreamManager getStreamManager() {
    return streams;
  }

  @Override
  public void channelActive(TransportClient client) {
    Inbound.install(client.getChannel());
  }
}
