package io.cairn.cache.capture;

import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One protected region: memory in its place, memory that moves, or a blob with new bytes at each
 * capture.
 */
sealed interface ProtectedRegion {
  String name();

  /** Its kind and size, for a fingerprint: {@code double[100]}, or {@code blob}. */
  String kind();

  /** Whether a checkpoint of plain bytes may be one of this region, of before it had a kind. */
  default boolean mayHaveBeenBytes() {
    return false;
  }

  /** The source of a capture that begins now. */
  CaptureSource now();

  /** Likewise, of a capture that begins when the application uses its own blob again. */
  default CaptureSource kept() {
    return now();
  }

  /** The target of a restore; adds to {@code loads} the work to be done after the copy. */
  CaptureSource target(RegionImage image, List<Runnable> loads);

  /** Like the other, of a restore of some elements alone; memory that never changes its length. */
  default CaptureSource target(List<Runnable> loads) {
    return now();
  }

  /** The size that an image must have; empty if any. */
  Optional<Long> fixedBytes();

  /** The size that an image of so many bytes must have. */
  default long expectedBytes(long bytes) {
    return fixedBytes().orElse(bytes);
  }

  boolean overlaps(ProtectedRegion other);

  static ProtectedRegion of(Region region, DeviceMemory device) {
    if (region instanceof Region.Blob blob) {
      return new Blob(blob.name(), blob.save(), blob.load());
    } else if (region instanceof Region.Span span) {
      MirroredSpans sides = MirroredSpans.of(span, device);
      CaptureSource memory = device.locate(sides.span());
      return new Memory(
          region.name(),
          memory,
          RegionKind.of(sides.span(), memory),
          RegionKind.mayHaveBeenBytes(span),
          sides);
    } else if (region instanceof Region.Resizable resizable) {
      return Resizable.of(resizable, device);
    }
    throw new IllegalArgumentException("no region that can be protected: " + region);
  }

  /** Memory of the application. */
  record Memory(
      String name, CaptureSource memory, String kind, boolean mayHaveBeenBytes, MirroredSpans sides)
      implements ProtectedRegion {
    @Override
    public CaptureSource now() {
      sides.bring();
      return memory;
    }

    @Override
    public CaptureSource target(RegionImage image, List<Runnable> loads) {
      return target(loads);
    }

    /** Libraries learn of new bytes before a blob is loaded, which may use the memory. */
    @Override
    public CaptureSource target(List<Runnable> loads) {
      if (!sides.parts().isEmpty()) {
        loads.add(0, sides::written);
      }
      return now();
    }

    @Override
    public Optional<Long> fixedBytes() {
      return Optional.of(memory.bytes());
    }

    @Override
    public boolean overlaps(ProtectedRegion other) {
      return other instanceof Memory that && memory.overlaps(that.memory);
    }
  }

  /** Memory that the application may replace by memory of another length. */
  record Resizable(Region.Resizable region, DeviceMemory device, String kind)
      implements ProtectedRegion {
    static Resizable of(Region.Resizable region, DeviceMemory device) {
      Region.Memory now = memory(region);
      device.locate(now);
      return new Resizable(region, device, RegionKind.ofAnyLength(now));
    }

    private static Region.Memory memory(Region.Resizable region) {
      @Nullable Object memory = region.memory().get();
      if (memory == null) {
        throw new IllegalStateException("region " + region.name() + ": its supplier returned null");
      }
      return new Region.Memory(region.name(), memory);
    }

    @Override
    public String name() {
      return region.name();
    }

    @Override
    public CaptureSource now() {
      Region.Memory memory = memory(region);
      if (!RegionKind.ofAnyLength(memory).equals(kind)) {
        throw new IllegalStateException(
            "region %s was protected as %s and is %s now"
                .formatted(name(), kind, RegionKind.ofAnyLength(memory)));
      }
      return device.locate(memory);
    }

    @Override
    public CaptureSource target(RegionImage image, List<Runnable> loads) {
      region.resize().accept(image.bytes());
      CaptureSource resized = now();
      if (resized.bytes() != image.bytes()) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "region %s has %d bytes after it was resized to %d",
                name(),
                resized.bytes(),
                image.bytes()));
      }
      return resized;
    }

    @Override
    public Optional<Long> fixedBytes() {
      return Optional.empty();
    }

    @Override
    public boolean overlaps(ProtectedRegion other) {
      return false;
    }
  }

  /** A small value. */
  record Blob(String name, Supplier<byte[]> save, Consumer<byte[]> load)
      implements ProtectedRegion {
    /** It is restored as an array. */
    private static final long MAX_BYTES = Integer.MAX_VALUE - 8;

    @Override
    public String kind() {
      return "blob";
    }

    @Override
    public CaptureSource now() {
      return HostMemory.of(bytes());
    }

    @Override
    public CaptureSource kept() {
      return HostMemory.of(bytes().clone());
    }

    private byte[] bytes() {
      byte @Nullable [] bytes = save.get();
      if (bytes == null) {
        throw new IllegalStateException("region " + name + ": its supplier returned null");
      }
      return bytes;
    }

    @Override
    public CaptureSource target(RegionImage image, List<Runnable> loads) {
      byte[] bytes = new byte[(int) image.bytes()];
      loads.add(() -> load.accept(bytes));
      return HostMemory.of(bytes);
    }

    @Override
    public Optional<Long> fixedBytes() {
      return Optional.empty();
    }

    @Override
    public long expectedBytes(long bytes) {
      return Math.min(bytes, MAX_BYTES);
    }

    @Override
    public boolean overlaps(ProtectedRegion other) {
      return false;
    }
  }
}
