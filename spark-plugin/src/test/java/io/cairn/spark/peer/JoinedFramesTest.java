package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.protocol.MessageEncoder;
import org.apache.spark.network.protocol.RpcResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pieces in which a message reaches the socket. */
class JoinedFramesTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();

  @BeforeEach
  void install() {
    channel.pipeline().addLast("encoder", MessageEncoder.INSTANCE);
    JoinedFrames.install(channel);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static RpcResponse reply(byte[] body) {
    return new RpcResponse(7, new NioManagedBuffer(ByteBuffer.wrap(body)));
  }

  @Test
  void aShortReplyIsOnePieceWithItsHeader() {
    byte[] body = {1, 2, 3, 4, 5};

    channel.writeOutbound(reply(body));
    channel.runPendingTasks();

    ByteBuf piece = channel.readOutbound();
    byte[] end = new byte[body.length];
    piece.getBytes(piece.writerIndex() - end.length, end);
    assertThat(end).isEqualTo(body);
    assertThat(piece.getLong(0)).as("length of the frame").isEqualTo(piece.readableBytes());
    assertThat(channel.outboundMessages()).isEmpty();
    piece.release();
  }

  @Test
  void aLongBodyIsSentFromWhereItLies() {
    channel.writeOutbound(reply(new byte[JoinedFrames.MOST_BYTES]));
    channel.runPendingTasks();

    Object piece = channel.readOutbound();
    assertThat(piece).isInstanceOf(FileRegion.class);
    ((FileRegion) piece).release();
  }
}
