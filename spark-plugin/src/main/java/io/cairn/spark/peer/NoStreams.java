package io.cairn.spark.peer;

import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.StreamManager;

/**
 * Serves no chunk and no stream. The network layer calls this without checking that the peer is
 * authenticated, so every method refuses.
 */
final class NoStreams extends StreamManager {
  @Override
  public void checkAuthorization(TransportClient client, long streamId) {
    throw refused();
  }

  @Override
  public void checkAuthorization(TransportClient client, String streamId) {
    throw refused();
  }

  @Override
  public ManagedBuffer getChunk(long streamId, int chunkIndex) {
    throw refused();
  }

  @Override
  public ManagedBuffer openStream(String streamId) {
    throw refused();
  }

  /** Without a stack, which the network layer would send to the peer. */
  private static SecurityException refused() {
    SecurityException refused = new SecurityException("no chunks and no streams are served here");
    refused.setStackTrace(new StackTraceElement[0]);
    return refused;
  }
}
