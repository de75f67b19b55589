package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Region;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;

class JavaCppMemoryTest {
  private static HostMemory of(Pointer pointer) {
    return HostMemory.of(new Region.Memory("r", pointer));
  }

  @Test
  void aPointerIsTakenFromPositionToLimit() {
    try (FloatPointer floats = new FloatPointer(1, 2, 3, 4, 5)) {
      HostMemory memory = of(floats.position(1).limit(4));
      assertThat(memory.bytes()).isEqualTo(12);
      NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(12));
      memory.copyTo(0, span, 0, 12);
      assertThat(span.floats().get(0)).isEqualTo(2);
      assertThat(span.floats().get(2)).isEqualTo(4);
      memory.copyFrom(8, span, 0, 4);
      floats.position(0).limit(5);
      assertThat(floats.get(3)).isEqualTo(2);
      assertThat(floats.get(4)).isEqualTo(5);
    }
  }

  @Test
  void anAddressIsTheSameMemory() {
    try (LongPointer longs = new LongPointer(7, 8, 9)) {
      HostMemory memory =
          HostMemory.of(new Region.Address("a", longs.address() + 8, 16, "whoever owns it"));
      NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(16));
      memory.copyTo(0, span, 0, 16);
      assertThat(span.longs().get(0)).isEqualTo(8);
      assertThat(span.longs().get(1)).isEqualTo(9);
      assertThat(memory.overlaps(of(longs))).isTrue();
      assertThat(memory.overlaps(of(longs.limit(1)))).isFalse();
    }
  }

  @Test
  void moreThanTwoGigabytesAreOrdinary() {
    long bytes = (5L << 30) / 2 + 24;
    // never touched but in a few places, so it costs a few pages
    Pointer memory = Pointer.malloc(bytes);
    try {
      HostMemory host = HostMemory.of(new Region.Address("a", memory.address(), bytes, memory));
      NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(64));
      NativeSpan back = new NativeSpan(ByteBuffer.allocateDirect(64));
      for (long offset : new long[] {0, (1L << 30) - 24, (1L << 31) - 40, bytes - 64}) {
        for (int i = 0; i < 8; i++) {
          span.longs().put(i, offset + i);
        }
        host.copyFrom(offset, span, 0, 64);
        host.copyTo(offset, back, 0, 64);
        assertThat(back.bytes()).isEqualTo(span.bytes());
      }
      try (BytePointer end = new BytePointer(memory)) {
        assertThat(end.getLong(bytes - 8)).isEqualTo(bytes - 64 + 7);
      }
    } finally {
      Pointer.free(memory);
    }
  }

  @Test
  void aPointerWithoutALimitIsRefused() {
    try (Pointer none = new Pointer();
        BytePointer text = new BytePointer(8)) {
      assertThatIllegalArgumentException().isThrownBy(() -> of(none));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> of(text.limit(0)))
          .withMessageContaining("without a limit");
    }
  }

  @Test
  void anAddressNeedsNoJavaCpp() throws Exception {
    ByteBuffer owner = ByteBuffer.allocateDirect(64);
    FloatBuffer typed = owner.order(ByteOrder.nativeOrder()).asFloatBuffer();
    long address = NativeBuffers.address(owner);
    ClassLoader loader = new WithoutJavaCpp();
    Class<?> isolated = loader.loadClass("io.cairn.cache.memory.HostMemory");
    Class<?> source = loader.loadClass("io.cairn.cache.memory.CaptureSource");
    Method bytes = isolated.getMethod("bytes");

    Object byAddress =
        isolated
            .getMethod("of", Region.Address.class)
            .invoke(null, new Region.Address("a", address, 48, owner));
    Object byBuffer =
        isolated.getMethod("of", Region.Memory.class).invoke(null, new Region.Memory("b", typed));

    assertThat(isolated).isNotEqualTo(HostMemory.class);
    assertThat(bytes.invoke(byAddress)).isEqualTo(48L);
    assertThat(bytes.invoke(byBuffer)).isEqualTo(64L);
    assertThat(source.getMethod("overlaps", source).invoke(byAddress, byBuffer)).isEqualTo(true);
  }

  @Test
  void withoutJavaCppArraysWork() throws Exception {
    Class<?> isolated = new WithoutJavaCpp().loadClass("io.cairn.cache.memory.HostMemory");
    Method of = isolated.getMethod("of", Region.Memory.class);
    assertThat(of.invoke(null, new Region.Memory("r", new float[2]))).isInstanceOf(isolated);
  }

  /** Loads this package's classes anew, and none of JavaCPP. */
  private static final class WithoutJavaCpp extends ClassLoader {
    WithoutJavaCpp() {
      super(HostMemory.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.bytedeco.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.cairn.cache.memory.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
