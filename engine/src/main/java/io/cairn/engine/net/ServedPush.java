package io.cairn.engine.net;

import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One push while its bytes arrive. A refused push is read to its end and discarded, so that its
 * connection survives. On the connection's loop only.
 */
final class ServedPush implements PeerSink {
  private final int announced;
  private final @Nullable PeerSink sink;
  private final Consumer<Optional<String>> reply;
  private int arrived;
  private @Nullable String refusal;

  /**
   * A push.
   *
   * @param sink null if it is refused already
   * @param refusal why it is
   * @param reply receives the reason to refuse it, or nothing
   */
  ServedPush(
      int announced,
      @Nullable PeerSink sink,
      @Nullable String refusal,
      Consumer<Optional<String>> reply) {
    this.announced = announced;
    this.sink = sink;
    this.refusal = refusal;
    this.reply = reply;
  }

  @Override
  public void data(ByteBuffer slice) {
    arrived += slice.remaining();
    if (sink != null && refusal == null) {
      try {
        sink.data(slice);
      } catch (IOException | RuntimeException e) {
        refusal = Refusal.of(e);
      }
    }
  }

  @Override
  public void complete() {
    if (sink != null && refusal == null) {
      try {
        sink.complete();
      } catch (IOException | RuntimeException e) {
        refusal = Refusal.of(e);
      }
    }
    reply.accept(Optional.ofNullable(refusal));
  }

  @Override
  public void failed(String reason) {
    if (sink != null && refusal == null) {
      sink.failed(
          String.format(Locale.ROOT, "%d of %d bytes came: %s", arrived, announced, reason));
    }
  }
}
