package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The regions of one rank, in the order in which they were protected. Not thread-safe: the training
 * thread owns it.
 */
public final class ProtectedRegions {
  private final DeviceMemory device;
  private final int chunkBytes;
  private final Map<String, ProtectedRegion> regions = new LinkedHashMap<>();

  /**
   * No regions yet.
   *
   * @param device copies from and to regions that lie on a device; says which it reaches
   * @param chunkBytes length of every chunk but a region's last; a multiple of 8
   */
  public ProtectedRegions(DeviceMemory device, int chunkBytes) {
    if (chunkBytes < 1 || chunkBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes: the length must be a multiple of " + Long.BYTES);
    }
    this.device = device;
    this.chunkBytes = chunkBytes;
  }

  /**
   * Adds a region to every later snapshot and restore. To find memory that is protected twice, a
   * byte of direct buffers may be changed for a moment: the calling thread must own the memory.
   *
   * @throws IllegalArgumentException naming the regions, if the name or some of the memory is
   *     protected already, or the memory cannot be captured, or is out of the device's reach
   */
  public void protect(Region region) {
    if (regions.containsKey(region.name())) {
      throw new IllegalArgumentException("region " + region.name() + " is protected already");
    }
    ProtectedRegion added = ProtectedRegion.of(region, device);
    for (ProtectedRegion other : regions.values()) {
      if (added.overlaps(other)) {
        throw new IllegalArgumentException(
            "region %s shares memory with region %s, which is protected already"
                .formatted(added.name(), other.name()));
      }
    }
    regions.put(region.name(), added);
  }

  /**
   * The sizes of all regions now; asks each blob for its bytes, once.
   *
   * @throws IllegalStateException naming the region, if a blob gives null
   */
  public Snapshot snapshot() {
    List<Snapshot.Part> parts = new ArrayList<>(regions.size());
    for (ProtectedRegion region : regions.values()) {
      parts.add(new Snapshot.Part(region.name(), region.now()));
    }
    return new Snapshot(parts, chunkBytes);
  }

  /**
   * Checks that a checkpoint has the regions that are protected, each of its size (a blob's may
   * differ).
   *
   * @param checkpointLabel for the message
   * @throws RestoreException naming the region and both sizes, or all names, if it has not
   */
  public void checkShape(List<RegionImage> images, String checkpointLabel) {
    Shape.check(regions, images, checkpointLabel);
  }

  /**
   * Checks the shape, then copies every chunk back, verifying its checksum first, then hands the
   * blobs their bytes, in the order of the images.
   *
   * @param images what the checkpoint holds
   * @param reader reads it; region numbers are indexes into {@code images}
   * @param staging one chunk passes through it at a time; direct ones are faster
   * @return bytes restored
   * @throws RestoreException if the shape differs; nothing was written then
   * @throws IllegalArgumentException if {@code staging} is shorter than a chunk; nothing was
   *     written
   * @throws IOException naming region, chunk, expected and found checksum, if a chunk does not
   *     verify, or if it cannot be read; the regions' content is undefined then, and no blob was
   *     loaded
   */
  public long restore(List<RegionImage> images, ChunkReader reader, ByteBuffer staging)
      throws IOException {
    checkShape(images, "the checkpoint");
    List<CaptureSource> targets = new ArrayList<>(images.size());
    List<Runnable> loads = new ArrayList<>();
    for (RegionImage image : images) {
      ProtectedRegion region = Objects.requireNonNull(regions.get(image.name()));
      targets.add(region.target(image, loads));
    }
    long bytes = new ChunkRestore(device, images, reader, staging).into(targets);
    loads.forEach(Runnable::run);
    return bytes;
  }
}
