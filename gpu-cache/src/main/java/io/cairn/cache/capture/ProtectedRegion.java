package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.Region;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One protected region: memory in its place, or a blob with new bytes at each capture. */
sealed interface ProtectedRegion {
  String name();

  /** Its kind and size, for a fingerprint: {@code double[100]}, or {@code blob}. */
  String kind();

  /** The source of a capture that begins now. */
  CaptureSource now();

  /** The target of a restore; adds to {@code loads} the work to be done after the copy. */
  CaptureSource target(RegionImage image, List<Runnable> loads);

  /** The size that an image must have; empty if any. */
  Optional<Long> fixedBytes();

  boolean overlaps(ProtectedRegion other);

  static ProtectedRegion of(Region region, DeviceMemory device) {
    if (region instanceof Region.Blob blob) {
      return new Blob(blob.name(), blob.save(), blob.load());
    } else if (region instanceof Region.Span span) {
      CaptureSource memory = device.locate(span);
      return new Memory(region.name(), memory, RegionKind.of(span, memory.bytes()));
    }
    throw new IllegalArgumentException("no region that can be protected: " + region);
  }

  /** Memory of the application. */
  record Memory(String name, CaptureSource memory, String kind) implements ProtectedRegion {
    @Override
    public CaptureSource now() {
      return memory;
    }

    @Override
    public CaptureSource target(RegionImage image, List<Runnable> loads) {
      return memory;
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

  /** A small value. */
  record Blob(String name, Supplier<byte[]> save, Consumer<byte[]> load)
      implements ProtectedRegion {
    @Override
    public String kind() {
      return "blob";
    }

    @Override
    public CaptureSource now() {
      byte @Nullable [] bytes = save.get();
      if (bytes == null) {
        throw new IllegalStateException("region " + name + ": its supplier returned null");
      }
      return HostMemory.of(bytes);
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
    public boolean overlaps(ProtectedRegion other) {
      return false;
    }
  }
}
