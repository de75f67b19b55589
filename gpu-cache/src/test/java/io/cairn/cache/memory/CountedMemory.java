package io.cairn.cache.memory;

import io.cairn.DeviceName;
import io.cairn.Region;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Device memory that counts the bytes of each copy that was accepted. */
record CountedMemory(DeviceMemory memory, CopyCounter counter) implements DeviceMemory {
  @Override
  public String describe() {
    return memory.describe();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    return memory.allocate(bytes);
  }

  @Override
  public void free(DeviceAddress address) {
    memory.free(address);
  }

  @Override
  public void giveUp(DeviceAddress address) {
    memory.giveUp(address);
  }

  @Override
  public long largestAllocation() {
    return memory.largestAllocation();
  }

  @Override
  public OptionalLong onDemandBytes() throws IOException {
    return memory.onDemandBytes();
  }

  @Override
  public OptionalLong bytesToShare() throws IOException {
    return memory.bytesToShare();
  }

  @Override
  public OptionalLong bytesForOthers() throws IOException {
    return memory.bytesForOthers();
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    CopyEvent event = memory.copyAndChecksumAsync(batch);
    counter.addToDevice(batch.bytes());
    return event;
  }

  @Override
  public CopyEvent copyBesideAsync(CopyBatch batch) {
    CopyEvent event = memory.copyBesideAsync(batch);
    counter.addToDevice(batch.bytes());
    return event;
  }

  @Override
  public CaptureSource locate(Region.Span region) {
    return memory.locate(region);
  }

  @Override
  public boolean isDead() {
    return memory.isDead();
  }

  @Override
  public boolean reaches(DeviceName device) {
    return memory.reaches(device);
  }

  @Override
  public CopyEvent copyToResidentAsync(
      ByteBuffer source, DeviceResident target, long targetOffset) {
    CopyEvent event = memory.copyToResidentAsync(source, target, targetOffset);
    counter.addToDevice(source.remaining());
    return event;
  }

  @Override
  public CopyEvent workBefore(List<DeviceResident> sources) {
    return memory.workBefore(sources);
  }

  @Override
  public CopyEvent copyFromResidentAsync(
      DeviceResident source, long sourceOffset, ByteBuffer target) {
    CopyEvent event = memory.copyFromResidentAsync(source, sourceOffset, target);
    counter.addToHost(target.remaining());
    return event;
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    CopyEvent event = memory.copyToHostAsync(source, target);
    counter.addToHost(source.bytes());
    return event;
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return memory.staging(bytes);
  }

  @Override
  public Optional<MappedBytes> inPlace(DeviceAddress address) {
    return memory.inPlace(address);
  }

  @Override
  public Optional<DeviceBytes> held(DeviceAddress address) {
    return memory.held(address);
  }

  @Override
  public Optional<Boolean> equal(DeviceAddress one, DeviceAddress other) throws IOException {
    return memory.equal(one, other);
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    return memory.export(address);
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    return memory.open(handle);
  }

  @Override
  public void close() {
    memory.close();
  }
}
