package io.cairn.spark.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Joins the header and the body of a short message. The network layer's encoder passes both as one
 * region, whose parts the socket writes one by one: two calls of the system, and often two wake-ups
 * of the peer. Joined messages, which wait together, leave in one write. On the connection's event
 * loop only.
 */
final class JoinedFrames extends ChannelOutboundHandlerAdapter {
  /** A longer message is sent from where its body lies. */
  static final int MOST_BYTES = 16 << 10;

  /** Messages that one write may hold back. */
  private static final int MOST_FLUSHES = 256;

  /** Adds the handler to a connection, behind its encoder and before its encryption. */
  static void install(Channel channel) {
    channel
        .pipeline()
        .addFirst(new FlushConsolidationHandler(MOST_FLUSHES, true))
        .addBefore("encoder", "cairnJoined", new JoinedFrames());
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise carries the outcome
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof FileRegion region && region.count() <= MOST_BYTES) {
      context.write(joined(context, region), promise);
    } else {
      context.write(message, promise);
    }
  }

  private static ByteBuf joined(ChannelHandlerContext context, FileRegion region)
      throws IOException {
    ByteBuf bytes = context.alloc().buffer((int) region.count());
    boolean done = false;
    try {
      Into into = new Into(bytes);
      while (region.transferred() < region.count()) {
        region.transferTo(into, region.transferred());
      }
      done = true;
      return bytes;
    } finally {
      region.release();
      if (!done) {
        bytes.release();
      }
    }
  }

  private record Into(ByteBuf bytes) implements WritableByteChannel {
    @Override
    public int write(ByteBuffer source) {
      int length = source.remaining();
      bytes.writeBytes(source);
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
