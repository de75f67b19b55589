package io.cairn.cache.capture;

import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.Region;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One region: memory that stays where it is, or a blob whose bytes are new each time. */
sealed interface ProtectedRegion {
  String name();

  /** What a capture copies now. */
  HostMemory now();

  /** What a restore copies into; what must happen afterwards is added to {@code loads}. */
  HostMemory target(RegionImage image, List<Runnable> loads);

  /** The size that an image must have; empty if any. */
  Optional<Long> fixedBytes();

  boolean overlaps(ProtectedRegion other);

  static ProtectedRegion of(Region region) {
    if (region instanceof Region.Blob blob) {
      return new Blob(blob.name(), blob.save(), blob.load());
    }
    return new Memory(
        region.name(),
        region instanceof Region.Memory memory
            ? HostMemory.of(memory)
            : HostMemory.of((Region.Address) region));
  }

  /** Memory of the application. */
  record Memory(String name, HostMemory memory) implements ProtectedRegion {
    @Override
    public HostMemory now() {
      return memory;
    }

    @Override
    public HostMemory target(RegionImage image, List<Runnable> loads) {
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
    public HostMemory now() {
      byte @Nullable [] bytes = save.get();
      if (bytes == null) {
        throw new IllegalStateException("region " + name + ": its supplier gave null");
      }
      return HostMemory.of(bytes);
    }

    @Override
    public HostMemory target(RegionImage image, List<Runnable> loads) {
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
