package io.cairn.spark.peer;

import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One push while its bytes arrive. A refused push is read to its end and discarded, so that its
 * connection survives. A push that is not as long as announced ends the connection. On the
 * connection's event loop only.
 */
final class ArrivingPush implements StreamCallbackWithID {
  private static final Logger LOG = LoggerFactory.getLogger(ArrivingPush.class);

  private final long announced;
  private final Inbound inbound;
  private final OpenSinks sinks;
  private final @Nullable PeerSink sink;

  private long arrived;
  private @Nullable String refusal;
  private boolean ended;

  private ArrivingPush(
      long announced,
      Inbound inbound,
      OpenSinks sinks,
      @Nullable PeerSink sink,
      @Nullable String refusal) {
    this.announced = announced;
    this.inbound = inbound;
    this.sinks = sinks;
    this.sink = sink;
    this.refusal = refusal;
    sinks.opened();
  }

  /** A push that goes into {@code sink}. */
  static ArrivingPush into(PeerSink sink, long announced, Inbound inbound, OpenSinks sinks) {
    return new ArrivingPush(announced, inbound, sinks, sink, null);
  }

  /** A push that is discarded. */
  static ArrivingPush refused(String why, long announced, Inbound inbound, OpenSinks sinks) {
    return new ArrivingPush(announced, inbound, sinks, null, why);
  }

  @Override
  public String getID() {
    return "push";
  }

  @Override
  public void onData(String id, ByteBuffer slice) throws IOException {
    int bytes = slice.remaining();
    inbound.passed(bytes);
    arrived += bytes;
    if (arrived > announced) {
      throw new IOException("a push of " + announced + " bytes continues after its end");
    }
    if (sink != null && refusal == null && bytes > 0) {
      try {
        sink.data(slice);
      } catch (IOException | RuntimeException e) {
        refusal = Refusal.of(e);
      }
    }
  }

  @Override
  public void onComplete(String id) throws IOException {
    if (arrived < announced) {
      throw new IOException("a push of " + announced + " bytes ends after " + arrived);
    }
    if (sink != null && refusal == null) {
      try {
        sink.complete();
      } catch (IOException | RuntimeException e) {
        refusal = Refusal.of(e);
      }
    }
    end();
  }

  @Override
  public ByteBuffer getCompletionResponse() {
    return refusal == null ? PeerFrame.done(new byte[0]) : PeerFrame.refused(refusal);
  }

  /** The connection ended, or the bytes are no push. */
  @Override
  public void onFailure(String id, Throwable cause) {
    if (ended) {
      return;
    }
    try {
      if (sink != null && refusal == null) {
        sink.failed(arrived + " of " + announced + " bytes came: " + Refusal.of(cause));
      }
    } catch (RuntimeException e) {
      LOG.warn("A sink failed to fail", e);
    } finally {
      end();
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      sinks.ended();
    }
  }
}
