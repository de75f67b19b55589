package io.cairn.lab.study.cluster;

import io.cairn.DeviceName;
import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The device memory of one process. Closing frees all that it has allocated, as the system does
 * when a process dies, and leaves the device open for others. Not thread-safe.
 *
 * @param device of all processes of one worker
 * @param allocated and not freed
 */
record ProcessMemory(DeviceMemory device, Set<DeviceAddress> allocated) implements DeviceMemory {
  /** The process has allocated nothing. */
  ProcessMemory(DeviceMemory device) {
    this(device, new HashSet<>());
  }

  @Override
  public String describe() {
    return device.describe();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    DeviceAddress address = device.allocate(bytes);
    allocated.add(address);
    return address;
  }

  @Override
  public void free(DeviceAddress address) {
    device.free(address);
    allocated.remove(address);
  }

  @Override
  public CaptureSource locate(Region.Span region) {
    return device.locate(region);
  }

  @Override
  public boolean isDead() {
    return device.isDead();
  }

  @Override
  public boolean reaches(DeviceName name) {
    return device.reaches(name);
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    return device.copyAndChecksumAsync(batch);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    return device.copyToHostAsync(source, target);
  }

  @Override
  public CopyEvent copyFromResidentAsync(
      DeviceResident source, long sourceOffset, ByteBuffer target) {
    return device.copyFromResidentAsync(source, sourceOffset, target);
  }

  @Override
  public CopyEvent copyToResidentAsync(
      ByteBuffer source, DeviceResident target, long targetOffset) {
    return device.copyToResidentAsync(source, target, targetOffset);
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    return device.export(address);
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    return device.open(handle);
  }

  @Override
  public void close() {
    List.copyOf(allocated).forEach(this::free);
  }
}
