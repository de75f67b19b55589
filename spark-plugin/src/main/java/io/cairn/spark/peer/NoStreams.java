package io.cairn.spark.peer;

import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.StreamManager;

/**
 * Serves no chunk and no stream to anybody. The network layer asks here without looking whether the
 * asker has authenticated itself, so that each way in refuses by itself.
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

  /** Its stack would be sent to whoever asked: it is taken off. */
  private static SecurityException refused() {
    SecurityException refused = new SecurityException("no chunks and no streams are served here");
    refused.setStackTrace(new StackTraceElement[0]);
    return refused;
  }
}
