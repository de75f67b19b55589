package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.DeviceName;
import io.cairn.Layout;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.Strides;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Elements and their order tell memory of one size apart. */
class RegionKindTest {
  private static final long[] SHAPE = {2, 3};
  private static final String ROW_MAJOR = Strides.kind("float", SHAPE, new long[] {3, 1});
  private static final String COLUMN_MAJOR = Strides.kind("float", SHAPE, new long[] {1, 2});

  private static Fingerprint program(Region region) {
    return regions(region).program();
  }

  private static ProtectedRegions regions(Region region) {
    ProtectedRegions regions = new ProtectedRegions(new DelayedDevice(64, 1), 16);
    regions.protect(region);
    return regions;
  }

  private static String kind(Region region) {
    return program(region).entries().getOrDefault("region.w", "absent");
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  @Test
  void aTypedBufferNamesItsElements() {
    assertThat(kind(Region.of("w", direct(24).asFloatBuffer()))).isEqualTo("float[6]");
    assertThat(kind(Region.of("w", direct(24).asDoubleBuffer()))).isEqualTo("double[3]");
    assertThat(kind(Region.of("w", direct(24).asIntBuffer()))).isEqualTo("int[6]");
    assertThat(kind(Region.of("w", LongBuffer.allocate(3)))).isEqualTo("long[3]");
    assertThat(kind(Region.of("w", direct(24).asShortBuffer()))).isEqualTo("short[12]");
    assertThat(kind(Region.of("w", CharBuffer.allocate(3)))).isEqualTo("char[3]");
    assertThat(kind(Region.of("w", direct(24)))).isEqualTo("byte[24]");
    assertThat(kind(Region.resizable("w", () -> FloatBuffer.allocate(3), bytes -> {})))
        .isEqualTo("float[]");
  }

  @Test
  void aTypedBufferIsRestoredWhole() throws Exception {
    FloatBuffer buffer = direct(24).asFloatBuffer().position(2);
    FloatBuffer wrapped = FloatBuffer.wrap(new float[2], 0, 1);
    ProtectedRegions regions = regions(Region.of("w", buffer));
    regions.protect(Region.of("v", wrapped));
    SavedRank saved =
        new SavedRank(16, regions.program())
            .with("w", bytes(1, 2, 3, 4, 5, 6))
            .with("v", bytes(7, 8));

    regions.restore(saved.images(), saved, ByteBuffer.allocateDirect(16));

    assertThat(buffer.get(0)).isEqualTo(1);
    assertThat(buffer.get(5)).isEqualTo(6);
    assertThat(wrapped.array()).containsExactly(7, 8);
  }

  private static byte[] bytes(float... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.nativeOrder());
    bytes.asFloatBuffer().put(values);
    return bytes.array();
  }

  @Test
  void aKindCanBeGivenToAnyMemory() {
    assertThat(kind(Region.of("w", direct(24), COLUMN_MAJOR)))
        .isEqualTo("float[2, 3] strides [1, 2]");
    assertThat(RegionKind.of(resident(""), HostMemory.of(new byte[24]))).isEqualTo("byte[24]");
    assertThat(RegionKind.of(resident(COLUMN_MAJOR), HostMemory.of(new byte[24])))
        .isEqualTo(COLUMN_MAJOR);
  }

  private static Region.OnDevice resident(String kind) {
    return new Region.OnDevice(
        "w", new DeviceName("cuda", 0), 4096, 24, new ReadyAfter.Nothing(), "owner", kind);
  }

  @Test
  void anotherKindIsRefusedAndBothAreNamed() {
    Fingerprint there = program(Region.of("w", direct(24), COLUMN_MAJOR));

    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(
            () ->
                regions(Region.of("w", direct(24), ROW_MAJOR))
                    .checkProgram(there, "e1-i4", Set.of()))
        .withMessageContainingAll("region.w", COLUMN_MAJOR + " there", ROW_MAJOR + " here");
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(
            () -> regions(Region.of("w", direct(24))).checkProgram(there, "e1-i4", Set.of()))
        .withMessageContainingAll(COLUMN_MAJOR + " there", "byte[24] here");
  }

  @Test
  void plainBytesMayGetAKind() {
    Fingerprint there = program(Region.of("w", direct(24)));

    for (Region now :
        new Region[] {
          Region.of("w", direct(24), COLUMN_MAJOR), Region.of("w", direct(24).asFloatBuffer())
        }) {
      assertThat(regions(now).checkProgram(there, "e1-i4", Set.of())).isEmpty();
    }
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(
            () -> regions(Region.of("w", new float[6])).checkProgram(there, "e1-i4", Set.of()))
        .withMessageContainingAll("byte[24] there", "float[6] here");
  }

  /** Its bytes mean something else there. */
  @Test
  void memoryMovesToItsOwnKindOnly() {
    ProtectedRegions regions = regions(Region.of("w", direct(24), ROW_MAJOR));
    regions.protect(Region.of("v", new float[6]));
    regions.protect(Region.resizable("u", () -> new float[3], bytes -> {}));
    Fingerprint before = regions.program();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.of("w", direct(24), COLUMN_MAJOR)))
        .withMessage(
            "region w is %s in its new place and %s in its old one"
                .formatted(COLUMN_MAJOR, ROW_MAJOR));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.of("v", new int[6])))
        .withMessageContainingAll("region v is int[6] in", "float[6] in its old one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.resizable("u", () -> new double[3], bytes -> {})))
        .withMessageContainingAll("region u is double[]", "float[] in its old one");
    assertThat(regions.program()).isEqualTo(before);
    regions.relocate(Region.of("w", direct(24), ROW_MAJOR));
    regions.relocate(Region.of("v", direct(24).asFloatBuffer()));
  }

  @Test
  void aSliceIsInRowMajorOrder() {
    RegionOptions slice =
        RegionOptions.DEFAULT.withLayout(
            Layout.slice(new long[] {4, 3}, new long[] {0, 0}, new long[] {2, 3}));
    ProtectedRegions regions = new ProtectedRegions(new DelayedDevice(64, 1), 16);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("w", direct(24), COLUMN_MAJOR), slice))
        .withMessageContainingAll(COLUMN_MAJOR, "row-major");
    regions.protect(Region.of("w", direct(24), ROW_MAJOR), slice);
  }
}
