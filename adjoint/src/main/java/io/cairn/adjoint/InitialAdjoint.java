package io.cairn.adjoint;

import io.cairn.Region;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The adjoint regions as they were before the run. Where a group starts afresh, its ranks may have
 * reversed steps already; these would count twice.
 */
final class InitialAdjoint {
  private static final int PART_BYTES = 64 << 20;

  /** Each puts a region back; null if there is no way back any more. */
  private volatile @Nullable List<Runnable> regions;

  /** Copies the regions that are not part of the state. */
  InitialAdjoint(AdjointProgram program) {
    List<String> state = program.restart().stream().map(Region::name).toList();
    regions =
        program.adjoint().stream()
            .filter(region -> !state.contains(region.name()))
            .map(InitialAdjoint::copy)
            .toList();
  }

  /**
   * A checkpoint was sealed above DEVICE, so the group does not start afresh any more. Thread-safe.
   */
  void forget() {
    regions = null;
  }

  /**
   * Puts all regions back.
   *
   * @throws HistoryException if one lies on a device, or they were forgotten
   */
  void bringBack() {
    List<Runnable> all = regions;
    if (all == null) {
      throw new HistoryException(
          "the group has lost its checkpoints, and starts afresh in the midst of a run: start the"
              + " program again");
    }
    all.forEach(Runnable::run);
  }

  private static Runnable copy(Region region) {
    if (region instanceof Region.Blob blob) {
      byte[] saved = blob.save().get();
      return () -> blob.load().accept(saved.clone());
    } else if (region instanceof Region.Resizable resizable) {
      Copy copy = new Copy(memory(resizable));
      return () -> {
        resizable.resize().accept(copy.bytes);
        copy.copyTo(memory(resizable));
      };
    } else if (region instanceof Region.Span span
        && CaptureSource.of(span) instanceof HostMemory memory) {
      Copy copy = new Copy(memory);
      return () -> copy.copyTo(memory);
    }
    return () -> {
      throw new HistoryException(
          "region %s lies on a device, so the group cannot start afresh in the midst of a run: start the program again"
              .formatted(region.name()));
    };
  }

  private static HostMemory memory(Region.Resizable region) {
    Object now = Objects.requireNonNull(region.memory().get(), region.name());
    return HostMemory.of(new Region.Memory(region.name(), now));
  }

  /** The bytes of a region. */
  private static final class Copy {
    final long bytes;
    private final List<NativeSpan> parts = new ArrayList<>();

    Copy(HostMemory memory) {
      bytes = memory.bytes();
      for (long at = 0; at < bytes; at += PART_BYTES) {
        int length = (int) Math.min(PART_BYTES, bytes - at);
        NativeSpan part = new NativeSpan(ByteBuffer.allocate(length));
        memory.copyTo(at, part, 0, length);
        parts.add(part);
      }
    }

    void copyTo(HostMemory memory) {
      long at = 0;
      for (NativeSpan part : parts) {
        memory.copyFrom(at, part, 0, part.length());
        at += part.length();
      }
    }
  }
}
