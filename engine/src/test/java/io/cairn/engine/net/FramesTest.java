package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames come as they were sent, however the network cuts their bytes. */
class FramesTest {
  private static final byte[] KEY = new byte[PeerSecret.PROOF_BYTES];
  private static final int[] LENGTHS = {
    0, 1, 17, 1000, 16 << 10, (16 << 10) - 17, (16 << 10) + 1, 64 << 10, (64 << 10) + 1, 300_000
  };

  /** A channel that takes some bytes of each write. */
  private static final class Grudging implements WritableByteChannel {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final SplittableRandom random;

    Grudging(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public int write(ByteBuffer bytes) {
      int count = random.nextInt(bytes.remaining() + 1);
      byte[] some = new byte[count];
      bytes.get(some);
      taken.writeBytes(some);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static @Nullable Sealing sealing(boolean sealed) {
    return sealed ? new Sealing(KEY, 0) : null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void framesComeAsTheyWereSent(boolean sealed) throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FrameWriter writer = new FrameWriter(new LoopMemory(), sealing(sealed));
      Grudging channel = new Grudging(random);
      List<byte[]> sent = new ArrayList<>();
      long wholeBytes = 0;
      for (int number = 0; number < 12; number++) {
        byte[] header = bytes(random, random.nextInt(2) * random.nextInt(64 << 10));
        byte[] body = bytes(random, LENGTHS[random.nextInt(LENGTHS.length)]);
        sent.add(header);
        sent.add(body);
        writer.add(Frame.Kind.PUSH, number, ByteBuffer.wrap(header), direct(body));
        wholeBytes += Frame.BYTES + header.length + body.length;
        while (random.nextInt(3) > 0 && writer.queuedBytes() > 0) {
          boolean unused = writer.write(channel);
        }
      }
      while (writer.queuedBytes() > 0) {
        boolean unused = writer.write(channel);
      }

      assertThat(writer.writtenBytes()).as("seed %d", seed).isEqualTo(wholeBytes);
      assertThat(writer.write(channel)).isFalse();
      List<byte[]> arrived = arrived(sealed, random, channel.taken.toByteArray());
      assertThat(arrived).as("seed %d", seed).hasSameSizeAs(sent);
      for (int i = 0; i < sent.size(); i++) {
        assertThat(arrived.get(i)).as("seed %d, part %d", seed, i).isEqualTo(sent.get(i));
      }
    }
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static List<byte[]> arrived(boolean sealed, SplittableRandom random, byte[] wire)
      throws IOException {
    List<byte[]> arrived = new ArrayList<>();
    RecordReader records = new RecordReader(new LoopMemory(), sealing(sealed));
    FrameReader reader =
        new FrameReader(
            (frame, header) -> {
              arrived.add(header);
              return new Gathered(frame.bodyBytes(), arrived::add);
            });
    int at = 0;
    while (at < wire.length) {
      int count = Math.min(wire.length - at, 1 + random.nextInt(100_000));
      ByteBuffer some = ByteBuffer.wrap(wire, at, count);
      while (records.open(some)) {
        reader.take(records.opened());
        records.keep(); // as if it held back after each frame
      }
      assertThat(some.hasRemaining()).isFalse();
      at += count;
    }
    assertThat(reader.isWithinFrame() || records.isWithinRecord()).isFalse();
    return arrived;
  }
}
