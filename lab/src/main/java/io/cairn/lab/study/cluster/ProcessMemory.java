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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The device memory of one process. Closing frees all that it has allocated, as the system does
 * when a process dies, and leaves the device open for others. Not thread-safe.
 */
final class ProcessMemory implements DeviceMemory {
  private final SimulatedDevice all;
  private final DeviceMemory device;
  private final Actor actor;
  private final SimulatedMachine machine;
  private final Set<DeviceAddress> allocated = new HashSet<>();
  private final List<Opened> opened = new ArrayList<>();

  /** The process has allocated nothing. */
  ProcessMemory(SimulatedDevice all, Actor actor, SimulatedMachine machine) {
    this.all = all;
    this.device = all.device();
    this.actor = actor;
    this.machine = machine;
    machine.started(actor);
  }

  Actor actor() {
    return actor;
  }

  /** A process of this machine, by its name. */
  Optional<Actor> neighbour(String process) {
    return machine.started(process);
  }

  @Override
  public String describe() {
    return device.describe();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    DeviceAddress address = all.allocate(this, bytes);
    allocated.add(address);
    return address;
  }

  @Override
  public void free(DeviceAddress address) {
    all.free(address);
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
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      all.writes(this, batch.target(chunk));
    }
    return device.copyAndChecksumAsync(batch);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    return device.copyToHostAsync(source, target);
  }

  @Override
  public CopyEvent workBefore(List<DeviceResident> sources) {
    return device.workBefore(sources);
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
    return all.export(address);
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    Opened peer = all.open(handle);
    opened.add(peer);
    return peer;
  }

  @Override
  public void close() {
    opened.forEach(Opened::close);
    List.copyOf(allocated).forEach(this::free);
  }
}
