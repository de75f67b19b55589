package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyBeside;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application's memory on the GPU, in the order of the application's work. */
class CudaResidentTest {
  private static final int BYTES = 2 * Devices.PINNED_BYTES + 77;
  private static final int SLOWEST_MICROS = 20_000;
  private static final int INVALID_VALUE = 1;

  @TempDir private Path directory;
  private Application application;
  private CudaDevice device;

  CudaResidentTest() throws IOException {
    FakeCuda.reset();
    application = Application.open();
  }

  @BeforeEach
  void open() throws Exception {
    device = CudaDevice.open(Devices.options(directory, 1 << 20));
  }

  @AfterEach
  void close() throws Exception {
    device.close();
    application.close();
  }

  static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static byte[] filled(int value) {
    return filled(BYTES, value);
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private byte[] read(DeviceAddress address) throws Exception {
    byte[] found = new byte[(int) address.bytes()];
    device.copyToHostAsync(address, ByteBuffer.wrap(found)).await();
    return found;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aCaptureFollowsTheWorkOfAStream(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    capturesTheLast(weights, stream, new ReadyAfter.Stream(stream));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aCaptureFollowsTheWorkOfTheDefaultStream(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    capturesTheLast(application.allocate(BYTES), 0, new ReadyAfter.Stream(0));
  }

  private void capturesTheLast(long weights, long stream, ReadyAfter after) throws Exception {
    application.fill(weights, 1, BYTES, stream);
    application.fill(weights, 2, BYTES, stream);
    captures(weights, after, 2);
  }

  private void captures(long weights, ReadyAfter after, int value) throws Exception {
    DeviceAddress address = device.allocate(BYTES);
    CaptureSource source = device.locate(application.region(weights, BYTES, after));
    long onNullStream = FakeCuda.fakecuda_count("null_stream_copies");

    CopyEvent event = device.copyAndChecksumAsync(source, 0, address);
    event.await();

    assertThat(read(address)).containsOnly(value);
    assertThat(event.checksum()).isEqualTo(crc(filled(value)));
    assertThat(FakeCuda.fakecuda_count("null_stream_copies")).isEqualTo(onNullStream);
    assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aCopyToTheHostFollowsTheWorkOfAStream(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    DeviceResident source =
        new DeviceResident(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    application.fill(weights, 1, BYTES, stream);
    application.fill(weights, 2, BYTES, stream);
    ByteBuffer target = ByteBuffer.allocate(BYTES - 7);

    device.workBefore(List.of(source)).await();
    device.copyFromResidentAsync(source, 3, target).await();

    assertThat(target.array()).containsOnly(2);
    assertThat(target.remaining()).isEqualTo(BYTES - 7);
    assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isZero();
  }

  /** A pool of the application records its event again, or destroys it, once a call returned. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void workThatWasNamedStaysNamed(boolean destroyed) throws Exception {
    FakeCuda.fakecuda_delays(1, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    FakeCuda.fakecuda_hold(1);
    application.fill(weights, 1, BYTES, stream);
    application.fill(weights, 2, BYTES, stream);
    long event = application.record(stream);
    DeviceResident source =
        new DeviceResident(application.region(weights, BYTES, new ReadyAfter.Event(event)));

    CopyEvent work = device.workBefore(List.of(source));
    if (destroyed) {
      Driver.check("destroy", DriverCalls.cuEventDestroy_v2(event));
    } else {
      Driver.check("record", DriverCalls.cuEventRecord(event, application.stream()));
    }

    assertThat(work.isDone()).isFalse();
    FakeCuda.fakecuda_hold(0);
    work.await();
    ByteBuffer target = ByteBuffer.allocate(BYTES);
    device.copyFromResidentAsync(source, 0, target).await();
    assertThat(target.array()).containsOnly(2);
  }

  @Test
  void aCopyToTheHostWithoutTheApplicationsOrderFails() throws Exception {
    long stream = application.stream();
    DeviceResident source =
        new DeviceResident(
            application.region(application.allocate(BYTES), BYTES, new ReadyAfter.Stream(stream)));
    FakeCuda.fakecuda_fail("cuEventRecord", 1, INVALID_VALUE, 0);

    CopyEvent work = device.workBefore(List.of(source));

    assertThat(work.isDone()).isTrue();
    assertThatThrownBy(work::await).hasMessageContaining("cuEventRecord");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aCaptureFollowsTheWorkOfAllStreamsAndTheyOfIt(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long first = application.stream();
    long second = application.stream();
    ReadyAfter both =
        new ReadyAfter.All(
            List.of(
                new ReadyAfter.Stream(first),
                new ReadyAfter.All(List.of(new ReadyAfter.Stream(second)))));
    DeviceAddress address = device.allocate(BYTES);
    CaptureSource source = device.locate(application.region(weights, BYTES, both));
    application.fill(weights, 2, BYTES / 2, first);
    application.fill(weights + BYTES / 2, 2, BYTES - BYTES / 2, second);

    CopyEvent event = device.copyAndChecksumAsync(source, 0, address);
    assertThat(event.isSourceFree()).isTrue();
    application.fill(weights, 3, BYTES / 2, first);
    application.fill(weights + BYTES / 2, 3, BYTES - BYTES / 2, second);
    event.await();

    assertThat(read(address)).containsOnly(2);
    assertThat(application.read(weights, BYTES)).containsOnly(3);
    device.copyToResidentAsync(ByteBuffer.wrap(filled(4)), (DeviceResident) source, 0).await();
    assertThat(application.read(weights, BYTES)).containsOnly(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aCaptureFollowsAnEvent(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    application.fill(weights, 2, BYTES, stream);
    captures(weights, new ReadyAfter.Event(application.record(stream)), 2);
  }

  @Test
  void aCaptureAfterNothingWaitsForNothing() throws Exception {
    long weights = application.allocate(BYTES);
    application.fill(weights, 7, BYTES, 0);
    assertThat(application.read(weights, BYTES)).containsOnly(7);
    captures(weights, new ReadyAfter.Nothing(), 7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aRestoreFollowsTheWorkOfAStream(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    application.fill(weights, 2, BYTES, stream);
    DeviceResident target =
        (DeviceResident)
            device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    ByteBuffer source = ByteBuffer.wrap(filled(3)).position(0).limit(BYTES - 10);

    CopyEvent event = device.copyToResidentAsync(source, target, 10);
    event.await();

    byte[] expected = filled(3);
    Arrays.fill(expected, 0, 10, (byte) 2);
    assertThat(application.read(weights, BYTES)).isEqualTo(expected);
    assertThat(source.position()).isZero();
  }

  /** Neither the capture nor what the application starts next waits on the host. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aStreamGoesOnWithoutTheHost(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    DeviceAddress address = device.allocate(BYTES);
    CaptureSource source =
        device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    FakeCuda.fakecuda_hold(1);

    CopyEvent event = device.copyAndChecksumAsync(source, 0, address);
    assertThat(event.isDone()).isFalse();
    assertThat(event.isSourceFree()).isTrue();
    application.fill(weights, 2, BYTES, stream);
    FakeCuda.fakecuda_hold(0);
    event.await();

    assertThat(event.checksum()).isEqualTo(crc(filled(1)));
    assertThat(read(address)).containsOnly(1);
    assertThat(application.read(weights, BYTES)).containsOnly(2);
  }

  /** The application goes on, and its stream waits as late as it is told. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aStreamWaitsForACopyBesideOnceItIsToldTo(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    DeviceAddress address = device.allocate(BYTES);
    CopyBatch batch = batch(weights, new ReadyAfter.Stream(stream), address);
    FakeCuda.fakecuda_hold(1);

    CopyEvent event = device.copyBesideAsync(batch);
    assertThat(event.isSourceFree()).isFalse();
    event.freeSources();
    assertThat(event.isSourceFree()).isTrue();
    event.freeSources();
    application.fill(weights, 2, BYTES, stream);
    FakeCuda.fakecuda_hold(0);
    event.await();
    event.freeSources();

    assertThat(event.checksum()).isEqualTo(crc(filled(1)));
    assertThat(read(address)).containsOnly(1);
    assertThat(application.read(weights, BYTES)).containsOnly(2);
  }

  private CopyBatch batch(long weights, ReadyAfter after, DeviceAddress address) {
    return CopyBatch.of(device.locate(application.region(weights, BYTES, after)), 0, address);
  }

  @Test
  void memoryWhoseStreamCannotWaitIsFreeWhenItHasLanded() throws Exception {
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    DeviceAddress address = device.allocate(BYTES);
    CopyEvent event =
        device.copyBesideAsync(batch(weights, new ReadyAfter.Stream(stream), address));
    FakeCuda.fakecuda_hold(1);
    FakeCuda.fakecuda_fail("cuStreamWaitEvent", 1, INVALID_VALUE, 0);
    event.freeSources();
    boolean free = event.isSourceFree() && !event.isDone();
    FakeCuda.fakecuda_hold(0);
    event.await();

    assertThat(free).isFalse();
    assertThat(event.isSourceFree()).isTrue();
    assertThat(read(address)).containsOnly(1);
  }

  /** It would count as captured. */
  @Test
  void aCopyBesideThatCouldNotBeStartedHasFailed() throws Exception {
    long weights = application.allocate(BYTES);
    DeviceAddress address = device.allocate(BYTES);
    CopyBatch batch = batch(weights, new ReadyAfter.Stream(application.stream()), address);
    FakeCuda.fakecuda_fail("cuLaunchKernel", 1, INVALID_VALUE, 0);

    CopyBeside copy = CopyBeside.of(device, batch, false);
    assertThat(copy.awaitSources(0, 1, Long.MAX_VALUE)).isTrue();

    assertThat(copy.isSourceFree()).isTrue();
    assertThat(copy.hasFailed()).isTrue();
    assertThatThrownBy(copy::await).isInstanceOf(IOException.class);
  }

  @Test
  void anOrderOfNoPartsIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ReadyAfter.All(List.of()));
  }

  /** The device does not know what the application starts next. */
  @Test
  void memoryInNoOrderIsFreeWhenItHasLanded() throws Exception {
    long weights = application.allocate(BYTES);
    DeviceAddress address = device.allocate(BYTES);
    CaptureSource source =
        device.locate(application.region(weights, BYTES, new ReadyAfter.Nothing()));
    FakeCuda.fakecuda_hold(1);

    CopyEvent event = device.copyAndChecksumAsync(source, 0, address);
    assertThat(event.isSourceFree()).isFalse();
    FakeCuda.fakecuda_hold(0);
    event.await();

    assertThat(event.isSourceFree()).isTrue();
  }

  /** Only the checksums cross to the host. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theGpuVerifiesAndRestoresByItself(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, SLOWEST_MICROS);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    application.fill(weights, 1, BYTES, stream);
    CaptureSource source =
        device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    DeviceAddress address = device.allocate(BYTES);
    device.copyAndChecksumAsync(source, 0, address).await();
    DeviceAddress part = address.slice(0, BYTES - 10);
    long crossed = FakeCuda.fakecuda_count("crossed_bytes");

    int checksum;
    try (DeviceBytes held = device.held(part).orElseThrow()) {
      checksum = held.checksum();
      application.fill(weights, 3, BYTES, stream);
      application.fill(weights, 2, BYTES, stream);
      held.copyTo((DeviceResident) source, 10);
    }

    assertThat(FakeCuda.fakecuda_count("crossed_bytes") - crossed).isEqualTo(2 * Integer.BYTES);
    assertThat(checksum).isEqualTo(crc(Arrays.copyOf(filled(1), BYTES - 10)));
    byte[] expected = filled(1);
    Arrays.fill(expected, 0, 10, (byte) 2);
    assertThat(application.read(weights, BYTES)).isEqualTo(expected);
  }

  @Test
  void aRestoreStaysWithinItsTarget() throws Exception {
    long weights = application.allocate(BYTES);
    DeviceResident target =
        (DeviceResident)
            device.locate(application.region(weights, BYTES, new ReadyAfter.Nothing()));
    DeviceAddress address = device.allocate(BYTES);

    DeviceBytes held = device.held(address).orElseThrow();

    assertThatThrownBy(() -> held.copyTo(target, 1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Only the words of the comparison cross to the host. */
  @Test
  void theGpuComparesByItself() throws Exception {
    DeviceAddress one = device.allocate(BYTES);
    DeviceAddress other = device.allocate(BYTES);
    byte[] bytes = filled(6);
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, one).await();
    bytes[BYTES - 1]++;
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, other).await();

    assertThat(device.equal(one, other)).hasValue(false);
    assertThat(device.equal(one.slice(0, BYTES - 1), other.slice(0, BYTES - 1))).hasValue(true);
    assertThat(FakeCuda.fakecuda_count("kernels")).as("each divides, and compares").isEqualTo(4);
  }

  @Test
  void aCopyOfHostMemoryPassesTheApplicationsWork() throws Exception {
    long weights = application.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(1);
    application.fill(weights, 1, BYTES, 0);
    DeviceAddress address = device.allocate(BYTES);

    device.copyAndChecksumAsync(HostMemory.of(filled(8)), 0, address).await();

    assertThat(read(address)).containsOnly(8);
    assertThat(FakeCuda.fakecuda_pending()).isEqualTo(1);
    FakeCuda.fakecuda_hang_work(0);
  }

  @Test
  void hostAndDeviceMemoryShareABatch() throws Exception {
    FakeCuda.fakecuda_delays(5, 3000);
    long weights = application.allocate(BYTES);
    application.fill(weights, 4, BYTES, 0);
    DeviceAddress address = device.allocate(2L * BYTES + 8);
    CaptureSource resident =
        device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(0)));
    CopyBatch batch = new CopyBatch(3);
    batch.add(HostMemory.of(filled(5)), 0, address.slice(0, BYTES));
    batch.add(resident, 0, address.slice(BYTES, BYTES));
    batch.add(resident, 100, address.slice(2L * BYTES, 8));

    CopyEvent event = device.copyAndChecksumAsync(batch);
    event.await();

    assertThat(read(address.slice(0, BYTES))).containsOnly(5);
    assertThat(read(address.slice(BYTES, BYTES + 8))).containsOnly(4);
    assertThat(event.checksum(0)).isEqualTo(crc(filled(5)));
    assertThat(event.checksum(1)).isEqualTo(crc(filled(4)));
    assertThat(event.checksum(2)).isEqualTo(crc(Arrays.copyOf(filled(4), 8)));
  }

  /** Chunks that cut spans on the GPU and on the host, of odd lengths. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void spansOfGpuAndHostAreGathered(long seed) throws Exception {
    FakeCuda.fakecuda_delays(seed, 3000);
    Random random = new Random(seed);
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    ReadyAfter after = new ReadyAfter.Stream(stream);
    ByteArrayOutputStream image = new ByteArrayOutputStream();
    List<Region> spans = new ArrayList<>();
    for (int offset = 0; offset < BYTES - 1000; offset += 1000) {
      int length = random.nextInt(1000);
      spans.add(application.region(weights + offset, length, after));
      application.fill(weights + offset, offset / 1000 + 1, 1000, stream);
      image.writeBytes(filled(length, offset / 1000 + 1));
      byte[] host = filled(random.nextInt(9), 99);
      spans.add(Region.of("host", host));
      image.writeBytes(host);
    }
    byte[] bytes = image.toByteArray();
    CaptureSource source = device.locate((Region.Gather) Region.gather("tensors", spans));
    DeviceAddress address = device.allocate(bytes.length);
    int chunkBytes = 1 + random.nextInt(bytes.length);
    CopyBatch batch = new CopyBatch((bytes.length + chunkBytes - 1) / chunkBytes);
    for (int start = 0; start < bytes.length; start += chunkBytes) {
      batch.add(source, start, address.slice(start, Math.min(chunkBytes, bytes.length - start)));
    }

    CopyEvent event = device.copyAndChecksumAsync(batch);
    application.fill(weights, 0, BYTES, stream);
    event.await();

    assertThat(read(address)).isEqualTo(bytes);
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      int start = chunk * chunkBytes;
      int end = Math.min(start + chunkBytes, bytes.length);
      assertThat(event.checksum(chunk)).isEqualTo(crc(Arrays.copyOfRange(bytes, start, end)));
    }
  }

  @Test
  void memoryThatTheGpuDoesNotHaveIsRefused() throws Exception {
    long weights = application.allocate(4096);
    ReadyAfter now = new ReadyAfter.Nothing();
    device.locate(application.region(weights, 4096, now));
    refuses(application.region(weights, 4097, now), "is not memory of cuda:0 (Fake GPU 0)");
    refuses(application.region(weights - 1, 8, now), "is not memory of cuda:0 (Fake GPU 0)");
    Region.OnDevice elsewhere =
        new Region.OnDevice("w", new DeviceName("cuda", 1), weights, 8, now, this);
    refuses(elsewhere, "out of reach of cuda:0 (Fake GPU 0)");
    application.free(weights);
    refuses(application.region(weights, 8, now), "is not memory of cuda:0 (Fake GPU 0)");
  }

  /** Its meaning depends on the thread that names it. */
  @Test
  void theDefaultStreamOfEachThreadIsRefused() throws Exception {
    long weights = application.allocate(8);
    refuses(application.region(weights, 8, new ReadyAfter.Stream(2)), "default stream");
    ReadyAfter among = new ReadyAfter.All(List.of(new ReadyAfter.Stream(2)));
    refuses(application.region(weights, 8, among), "default stream");
    DeviceResident target =
        new DeviceResident(application.region(weights, 8, new ReadyAfter.Stream(2)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.copyToResidentAsync(ByteBuffer.allocate(8), target, 0))
        .withMessageContaining("cuStreamCreate");
  }

  private void refuses(Region.OnDevice region, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.locate(region))
        .withMessageContaining(reason);
  }
}
