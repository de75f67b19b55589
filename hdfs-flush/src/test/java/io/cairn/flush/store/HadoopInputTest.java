package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a file at HDFS is read: each seek, and each positional read, asks a DataNode anew. */
class HadoopInputTest {
  private static final int CHUNK_BYTES = 100_000;
  private static final int HEADER_BYTES = 64;
  private static final StoreErrors NAMED = new StoreErrors("store");

  private final byte[] content = new byte[HEADER_BYTES + 3 * CHUNK_BYTES];
  private final List<String> calls = new ArrayList<>();

  HadoopInputTest() {
    new SplittableRandom(1).nextBytes(content);
  }

  /** A stream that returns some bytes at a time. */
  private class Stream extends FSInputStream {
    static final int MOST_BYTES = 60_000;

    int at;

    @Override
    public void seek(long position) {
      calls.add("seek " + position);
      at = (int) position;
    }

    @Override
    public long getPos() {
      return at;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read() {
      throw new AssertionError("byte by byte");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return read(ByteBuffer.wrap(into, offset, length));
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      calls.add("at " + position);
      System.arraycopy(content, (int) position, into, offset, length);
      return length;
    }

    int read(ByteBuffer into) {
      int length = Math.min(Math.min(into.remaining(), MOST_BYTES), content.length - at);
      into.put(content, at, length);
      at += length;
      return length == 0 ? -1 : length;
    }
  }

  /** One that fills buffers. */
  private final class Filling extends Stream implements ByteBufferReadable, StreamCapabilities {
    @Override
    public int read(ByteBuffer into) {
      return super.read(into);
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(StreamCapabilities.READBYTEBUFFER);
    }
  }

  /** One whose server hangs up. */
  private final class Broken extends Stream {
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      throw new EOFException("no response");
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      throw new EOFException("no response");
    }
  }

  private HadoopInput input(boolean filling, long length) {
    FSDataInputStream in = new FSDataInputStream(filling ? new Filling() : new Stream());
    return new HadoopInput(in, "file", length, NAMED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void longReadsAreOneStream(boolean filling) throws IOException {
    HadoopInput input = input(filling, content.length);
    ByteBuffer read = ByteBuffer.allocateDirect(content.length);

    for (int length : new int[] {HEADER_BYTES, CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES}) {
      input.readFully(read.position(), read.limit(read.position() + length));
    }

    assertThat(calls).isEmpty();
    assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aShortReadElsewhereDoesNotEndTheStream(boolean filling) throws IOException {
    HadoopInput input = input(filling, content.length);
    ByteBuffer first = ByteBuffer.allocate(CHUNK_BYTES);
    ByteBuffer trailer = ByteBuffer.allocate(HEADER_BYTES);
    ByteBuffer second = ByteBuffer.allocate(CHUNK_BYTES);

    input.readFully(HEADER_BYTES, first);
    input.readFully(content.length - HEADER_BYTES, trailer);
    input.readFully(HEADER_BYTES + CHUNK_BYTES, second);

    assertThat(calls)
        .containsExactly("seek " + HEADER_BYTES, "at " + (content.length - HEADER_BYTES));
    assertThat(first.flip()).isEqualTo(ByteBuffer.wrap(content, HEADER_BYTES, CHUNK_BYTES));
    assertThat(trailer.flip())
        .isEqualTo(ByteBuffer.wrap(content, content.length - HEADER_BYTES, HEADER_BYTES));
    assertThat(second.flip())
        .isEqualTo(ByteBuffer.wrap(content, HEADER_BYTES + CHUNK_BYTES, CHUNK_BYTES));
  }

  /** Its length was asked for; so a stream that ends before it lost its server. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStreamThatEndsEarlyProvesNoDamage(boolean filling) {
    HadoopInput input = input(filling, content.length + 1L);

    assertThatThrownBy(() -> input.readFully(0, ByteBuffer.allocate(content.length + 1)))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class)
        .hasMessageContaining("store/file");
  }

  /** Hadoop reports a server that hung up as the end of a file. */
  @ParameterizedTest
  @ValueSource(ints = {HEADER_BYTES, CHUNK_BYTES})
  void aConnectionThatBreaksProvesNoDamage(int length) {
    HadoopInput input =
        new HadoopInput(new FSDataInputStream(new Broken()), "file", 1L << 20, NAMED);

    assertThatThrownBy(() -> input.readFully(7, ByteBuffer.allocate(length)))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class)
        .hasMessageContainingAll("store/file at byte 7", "no response");
  }
}
