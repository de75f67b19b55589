package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Region;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HostMemoryTest {
  private static final int BYTES = 240;

  private static HostMemory of(Object memory) {
    return HostMemory.of(new Region.Memory("r", memory));
  }

  static Stream<Object> arraysAndBuffers() {
    ByteBuffer shifted = ByteBuffer.allocate(BYTES + 16).position(16).slice();
    return Stream.of(
        new byte[BYTES],
        new short[BYTES / 2],
        new char[BYTES / 2],
        new int[BYTES / 4],
        new long[BYTES / 8],
        new float[BYTES / 4],
        new double[BYTES / 8],
        ByteBuffer.allocate(BYTES),
        shifted,
        ByteBuffer.allocateDirect(BYTES).position(99).limit(100),
        ByteBuffer.allocateDirect(BYTES).order(ByteOrder.BIG_ENDIAN));
  }

  @ParameterizedTest
  @MethodSource("arraysAndBuffers")
  void bytesCopiedInAreCopiedOut(Object memory) {
    HostMemory host = of(memory);
    assertThat(host.bytes()).isEqualTo(BYTES);
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    NativeSpan in = new NativeSpan(ByteBuffer.allocateDirect(BYTES + 8).put(8, bytes));
    host.copyFrom(0, in, 8, BYTES);
    NativeSpan out = new NativeSpan(ByteBuffer.allocateDirect(BYTES));
    host.copyTo(80, out, 0, 160);
    host.copyTo(0, out, 160, 80);
    byte[] found = new byte[BYTES];
    out.bytes().get(0, found, 160 - 160, BYTES);
    byte[] expected = new byte[BYTES];
    System.arraycopy(bytes, 80, expected, 0, 160);
    System.arraycopy(bytes, 0, expected, 160, 80);
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("arraysAndBuffers")
  void spansAreChecked(Object memory) {
    HostMemory host = of(memory);
    NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(2 * BYTES));
    for (long offset : new long[] {-8, 8, BYTES, Long.MAX_VALUE - 7}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .as("offset %d", offset)
          .isThrownBy(() -> host.copyTo(offset, span, 0, BYTES));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> host.copyFrom(offset, span, 0, BYTES));
    }
  }

  @Test
  void arraysAreInNativeOrder() {
    NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(16));
    of(new double[] {1.5, -2}).copyTo(0, span, 0, 16);
    ByteBuffer bytes = span.bytes().duplicate().order(ByteOrder.nativeOrder());
    assertThat(bytes.getDouble(0)).isEqualTo(1.5);
    assertThat(bytes.getDouble(8)).isEqualTo(-2);
  }

  @ParameterizedTest
  @MethodSource("arraysAndBuffers")
  void copiesBeginAndEndAnywhere(Object memory) {
    HostMemory host = of(memory);
    byte[] expected = new byte[BYTES];
    Random random = new Random(2);
    ByteBuffer bytes = ByteBuffer.allocateDirect(2 * BYTES);
    NativeSpan span = new NativeSpan(bytes);
    for (int copy = 0; copy < 500; copy++) {
      int offset = random.nextInt(BYTES);
      int length = random.nextInt(Math.min(BYTES - offset, copy % 2 == 0 ? 9 : BYTES) + 1);
      int at = random.nextInt(BYTES);
      for (int i = 0; i < length; i++) {
        expected[offset + i] = (byte) random.nextInt();
      }

      bytes.put(at, expected, offset, length);
      host.copyFrom(offset, span, at, length);

      assertThat(read(host, 0, BYTES)).as("after copy %d", copy).isEqualTo(expected);
      assertThat(read(host, offset, length))
          .as("copy %d, of %d bytes at %d", copy, length, offset)
          .isEqualTo(Arrays.copyOfRange(expected, offset, offset + length));
    }
  }

  private static byte[] read(HostMemory memory, int offset, int length) {
    ByteBuffer copy = ByteBuffer.allocateDirect(length + 1);
    memory.copyTo(offset, new NativeSpan(copy), 1, length);
    byte[] bytes = new byte[length];
    copy.get(1, bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("arraysAndBuffers")
  void aCopyTouchesNoOtherByte(Object memory) {
    HostMemory host = of(memory);
    for (int length = 0; length < 20; length++) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(40);
      for (int i = 0; i < 40; i++) {
        bytes.put(i, (byte) 0x5a);
      }

      host.copyTo(3, new NativeSpan(bytes), 5, length);

      for (int i = 0; i < 40; i++) {
        boolean inside = i >= 5 && i < 5 + length;
        assertThat(bytes.get(i)).as("byte %d of %d", i, length).isEqualTo(inside ? 0 : (byte) 0x5a);
      }
    }
  }

  @Test
  void threadsMayWritePartsOfOneElement() throws Exception {
    long[] array = new long[1];
    HostMemory element = of(array);
    NativeSpan ones = new NativeSpan(ByteBuffer.allocateDirect(8).putLong(0, -1));
    NativeSpan zeros = new NativeSpan(ByteBuffer.allocateDirect(8));
    for (int round = 0; round < 20; round++) {
      array[0] = 0;
      Thread other = new Thread(() -> repeat(() -> element.copyFrom(0, ones, 0, 3)));

      other.start();
      repeat(
          () -> {
            element.copyFrom(3, zeros, 0, 5);
            element.copyFrom(3, ones, 0, 5);
          });
      other.join();

      assertThat(array[0]).as("round %d", round).isEqualTo(-1);
    }
  }

  private static void repeat(Runnable copies) {
    for (int i = 0; i < 5000; i++) {
      copies.run();
    }
  }

  @Test
  void otherKindsAreRefusedWithTheKindsThatCan() {
    for (Object memory :
        List.of(
            "text",
            new boolean[3],
            new Float[3],
            new float[2][2],
            ByteBuffer.allocate(8).asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(8).asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(8).asReadOnlyBuffer().asFloatBuffer())) {
      assertThatIllegalArgumentException()
          .as("%s", memory)
          .isThrownBy(() -> of(memory))
          .withMessageContaining("region r")
          .withMessageContaining("these can: arrays of byte");
    }
  }

  /** Elsewhere its bytes would count as numbers of this machine's order. */
  @Test
  void aTypedBufferOfAnotherByteOrderIsRefused() {
    ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    ByteBuffer bytes = ByteBuffer.allocateDirect(40).order(other);
    Buffer[] typed = {
      bytes.asShortBuffer(),
      bytes.asCharBuffer(),
      bytes.asIntBuffer(),
      bytes.asLongBuffer(),
      bytes.asFloatBuffer(),
      bytes.asDoubleBuffer()
    };
    for (Buffer memory : typed) {
      assertThatIllegalArgumentException()
          .as("%s", memory.getClass())
          .isThrownBy(() -> of(memory))
          .withMessageContainingAll(
              "region r", other.toString(), ".order(ByteOrder.nativeOrder())", "before");
    }
    assertThat(of(bytes.order(ByteOrder.nativeOrder()).asFloatBuffer()).bytes()).isEqualTo(40);
  }

  @Test
  void overlapIsFoundInArrays() {
    byte[] array = new byte[100];
    assertThat(of(array).overlaps(of(array))).isTrue();
    assertThat(of(array).overlaps(of(new byte[100]))).isFalse();
    assertThat(part(array, 0, 50).overlaps(part(array, 49, 10))).isTrue();
    assertThat(part(array, 0, 50).overlaps(part(array, 50, 10))).isFalse();
    assertThat(of(array).overlaps(of(ByteBuffer.allocateDirect(100)))).isFalse();
  }

  private static HostMemory part(byte[] array, int offset, int length) {
    return of(ByteBuffer.wrap(array).position(offset).slice().limit(length).slice());
  }

  @Test
  void overlapIsFoundInDirectBuffersAndLeavesThemAsTheyWere() {
    ByteBuffer all = ByteBuffer.allocateDirect(1 << 16);
    byte[] content = new byte[1 << 16];
    new Random(3).nextBytes(content);
    all.put(0, content);
    Random random = new Random(4);
    for (int i = 0; i < 500; i++) {
      int start = random.nextInt(1000);
      int length = 1 + random.nextInt(100);
      int otherStart = random.nextInt(1000);
      int otherLength = 1 + random.nextInt(100);
      boolean expected = start < otherStart + otherLength && otherStart < start + length;
      HostMemory one = of(all.slice(start, length));
      HostMemory other = of(all.slice(otherStart, otherLength));
      assertThat(one.overlaps(other))
          .as("[%d, +%d) and [%d, +%d)", start, length, otherStart, otherLength)
          .isEqualTo(expected);
    }
    byte[] found = new byte[1 << 16];
    all.get(0, found);
    assertThat(found).isEqualTo(content);
  }

  @Test
  void separateDirectBuffersWithEqualContentDoNotOverlap() {
    List<HostMemory> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(of(ByteBuffer.allocateDirect(4096)));
    }
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < all.size(); j++) {
        assertThat(all.get(i).overlaps(all.get(j))).isEqualTo(i == j);
      }
    }
  }

  @Test
  void windowsAreOneMemory() {
    byte[] bytes = new byte[100];
    new Random(5).nextBytes(bytes);
    List<ByteBuffer> windows = new ArrayList<>();
    for (int start = 0; start < 100; start += 32) {
      windows.add(ByteBuffer.allocateDirect(Math.min(32, 100 - start)));
    }
    HostMemory memory = new BufferMemory(windows, 32, 100, "owner");
    NativeSpan in = new NativeSpan(ByteBuffer.allocateDirect(100).put(0, bytes));
    memory.copyFrom(0, in, 0, 100);
    NativeSpan out = new NativeSpan(ByteBuffer.allocateDirect(100));
    memory.copyTo(20, out, 20, 80);
    memory.copyTo(0, out, 0, 20);
    assertThat(out.bytes()).isEqualTo(in.bytes());
  }
}
