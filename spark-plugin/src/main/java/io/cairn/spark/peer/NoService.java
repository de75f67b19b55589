package io.cairn.spark.peer;

import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/**
 * The far end of a connection that this process opened asks for nothing: it could do so before
 * either end has proved itself. Whoever tries is hung up on.
 */
final class NoService extends RpcHandler {
  private final StreamManager streams = new NoStreams();

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    Inbound.hangUp(client.getChannel(), "a peer asks where it was asked");
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    Inbound.hangUp(client.getChannel(), "a peer asks where it was asked");
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
