package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.ReadyAfter;
import io.cairn.Region;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A device that reaches its own kind of application memory, and no other device's. */
class ResidentDeviceContractTest extends DeviceMemoryContract {
  private static final int HEAP_BYTES = 4096;

  private final DeviceHeap heap = new DeviceHeap(HEAP_BYTES);

  @Override
  protected DeviceMemory open() {
    return new DelayedDevice(CAPACITY_BYTES, 7, heap);
  }

  @Test
  void spansOfDeviceAndHostAreGathered() throws Exception {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      heap.bytes().put(0, random(seed, HEAP_BYTES));
      List<Region> spans = new ArrayList<>();
      byte[] image = gathered(spans, random);
      CaptureSource source = memory.locate((Region.Gather) Region.gather("tensors", spans));
      DeviceAddress address = memory.allocate(image.length);
      int cut = random.nextInt(image.length - 1) + 1;
      CopyBatch batch = new CopyBatch(2);
      batch.add(source, 0, address.slice(0, cut));
      batch.add(source, cut, address.slice(cut, image.length - cut));

      CopyEvent event = memory.copyAndChecksumAsync(batch);
      event.await();

      assertThat(read(address)).as("seed %d", seed).isEqualTo(image);
      assertThat(event.checksum(0)).as("seed %d", seed).isEqualTo(crc(image, 0, cut));
      assertThat(event.checksum(1)).isEqualTo(crc(image, cut, image.length - cut));
      memory.free(address);
    }
  }

  /** Spans of the heap, arrays of the host and empty ones in turn; returns their bytes. */
  private byte[] gathered(List<Region> spans, Random random) throws IOException {
    java.io.ByteArrayOutputStream image = new java.io.ByteArrayOutputStream();
    for (int offset = 0; offset < HEAP_BYTES - 100; ) {
      int length = random.nextInt(100);
      byte[] bytes = new byte[length];
      if (random.nextBoolean()) {
        heap.bytes().get(offset, bytes);
        spans.add(heap.region("r" + offset, offset, length, new ReadyAfter.Nothing()));
      } else {
        random.nextBytes(bytes);
        spans.add(Region.of("r" + offset, bytes));
      }
      image.write(bytes);
      offset += length + random.nextInt(3);
    }
    return image.toByteArray();
  }

  @Test
  void spansThatShareAByteAreRefused() {
    ReadyAfter after = new ReadyAfter.Nothing();
    Region.Gather gather =
        (Region.Gather)
            Region.gather(
                "tensors", List.of(heap.region("a", 0, 10, after), heap.region("b", 9, 10, after)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory.locate(gather))
        .withMessageContaining("region tensors: spans 0 and 1 share memory");
  }
}
