package io.cairn.spark.peer;

import io.cairn.core.peer.PeerTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.util.TransportFrameDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what one connection may make this process keep. The network layer's decoder gathers frames
 * of up to 2 GB, also from peers that have proved nothing: this stands before it, behind
 * decryption, counts what went in and did not come out, and hangs up above the longest message. On
 * the connection's event loop only.
 */
final class Inbound extends ChannelInboundHandlerAdapter {
  private static final int MAX_KEPT_BYTES = PeerTransport.MAX_MESSAGE_BYTES + 1024;
  private static final int LENGTH_BYTES = Long.BYTES;

  private long keptBytes;
  private @Nullable ScheduledFuture<?> silence;

  /** Begins to watch a connection, before anything is read from it. */
  static void install(Channel channel) {
    Inbound inbound = new Inbound();
    channel
        .pipeline()
        .addBefore(TransportFrameDecoder.HANDLER_NAME, "cairnInbound", inbound)
        .addAfter(TransportFrameDecoder.HANDLER_NAME, "cairnFrames", inbound.new Frames());
  }

  /** The connection's own. */
  static Inbound of(Channel channel) {
    return channel.pipeline().get(Inbound.class);
  }

  /** Ends a connection from any thread, with a line in the log that says why. */
  static void hangUp(Channel channel, String why) {
    channel.pipeline().fireExceptionCaught(new SecurityException(why));
  }

  /** Hangs up on a peer that {@link #hear} is not called for in time. */
  void expectWord(Channel channel, long millis) {
    silence =
        channel
            .eventLoop()
            .schedule(
                () -> hangUp(channel, "nothing authentic within " + millis + " ms"),
                millis,
                TimeUnit.MILLISECONDS);
  }

  /** A peer has spoken, after it had proved itself if that is asked for. */
  void hear() {
    stopWaiting();
  }

  private void stopWaiting() {
    if (silence != null) {
      silence.cancel(false);
      silence = null;
    }
  }

  /** Bytes of a body came out. */
  void passed(int bytes) {
    keptBytes -= bytes;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    stopWaiting();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    keptBytes += ((ByteBuf) message).readableBytes();
    context.fireChannelRead(message);
    if (keptBytes > MAX_KEPT_BYTES) {
      context.fireExceptionCaught(
          new TooLongFrameException("a message of more than " + MAX_KEPT_BYTES + " bytes"));
    }
  }

  /** What the decoder lets out. */
  private final class Frames extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      keptBytes -= ((ByteBuf) message).readableBytes() + LENGTH_BYTES;
      context.fireChannelRead(message);
    }
  }
}
