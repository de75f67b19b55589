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
 * Bounds the bytes that one connection makes this process buffer. The network layer's decoder
 * buffers frames of up to 2 GB, also of unauthenticated peers. This handler stands before the
 * decoder and behind decryption, counts the bytes inside, and disconnects above the longest
 * message. On the connection's event loop only.
 */
final class Inbound extends ChannelInboundHandlerAdapter {
  private static final int MAX_KEPT_BYTES = PeerTransport.MAX_MESSAGE_BYTES + 1024;
  private static final int LENGTH_BYTES = Long.BYTES;

  private long keptBytes;
  private @Nullable ScheduledFuture<?> silence;

  /** Adds the handler to a connection, before anything is read from it. */
  static void install(Channel channel) {
    Inbound inbound = new Inbound();
    channel
        .pipeline()
        .addBefore(TransportFrameDecoder.HANDLER_NAME, "cairnInbound", inbound)
        .addAfter(TransportFrameDecoder.HANDLER_NAME, "cairnFrames", inbound.new Frames());
  }

  /** The handler of a connection. */
  static Inbound of(Channel channel) {
    return channel.pipeline().get(Inbound.class);
  }

  /** Ends a connection, from any thread; the network layer logs the reason. */
  static void disconnect(Channel channel, String why) {
    channel.pipeline().fireExceptionCaught(new SecurityException(why));
  }

  /** Disconnects unless {@link #onMessage} is called within the time. */
  void expectMessage(Channel channel, long millis) {
    silence =
        channel
            .eventLoop()
            .schedule(
                () -> disconnect(channel, "nothing authentic within " + millis + " ms"),
                millis,
                TimeUnit.MILLISECONDS);
  }

  /** The peer sent a message, after authentication where that is required. */
  void onMessage() {
    stopWaiting();
  }

  private void stopWaiting() {
    if (silence != null) {
      silence.cancel(false);
      silence = null;
    }
  }

  /** Bytes of a body left the decoder. */
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

  /** Counts the frames that leave the decoder. */
  private final class Frames extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      keptBytes -= ((ByteBuf) message).readableBytes() + LENGTH_BYTES;
      context.fireChannelRead(message);
    }
  }
}
