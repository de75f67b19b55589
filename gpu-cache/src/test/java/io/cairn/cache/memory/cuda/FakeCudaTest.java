package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the fake driver really does what makes it worth testing on. */
class FakeCudaTest {
  private static final int BYTES = 8192;
  private static final byte POISON = (byte) 0xDB;
  private static final int NON_BLOCKING = 1;

  private static final String PTX =
      """
      .version 7.0
      .visible .entry cairn_add(
        .param .u64 cairn_add_param_0,
        .param .u32 cairn_add_param_1
      )
      { ret; }
      """;

  private static final String KERNELS =
      """
      #include <string.h>
      int cairn_launch(const char *entry, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                       unsigned by, unsigned bz, unsigned shared_bytes, void **arguments) {
        if (strcmp(entry, "cairn_add") != 0 || gx * gy * gz * by * bz != 1 || shared_bytes != 0) {
          return 500;
        }
        unsigned char *bytes = *(unsigned char **) arguments[0];
        for (unsigned i = 0; i < bx; i++) bytes[i] += *(unsigned *) arguments[1];
        return 0;
      }
      """;

  @TempDir private Path directory;
  private Application application;

  FakeCudaTest() throws IOException {
    FakeCuda.reset();
    application = Application.open();
  }

  @BeforeEach
  void startTime() {
    FakeCuda.fakecuda_delays(1, 0);
  }

  @AfterEach
  void close() throws IOException {
    FakeCuda.runKernels();
    FakeCuda.fakecuda_hang_work(0);
    application.close();
  }

  private long nonBlockingStream() throws IOException {
    LongByReference stream = new LongByReference();
    Driver.check("stream", DriverCalls.cuStreamCreate(stream, NON_BLOCKING));
    return stream.getValue();
  }

  private static Pointer pinned() throws IOException {
    LongByReference address = new LongByReference();
    Driver.check("pinned", DriverCalls.cuMemHostAlloc(address, BYTES, 0));
    return new Pointer(address.getValue());
  }

  @Test
  void theHostCannotReachTheDriversAddresses() throws Exception {
    String start = Long.toHexString(application.allocate(BYTES));
    assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
        .filteredOn(line -> line.startsWith(start + "-"))
        .singleElement()
        .asString()
        .contains(" ---s ");
  }

  @Test
  void aCopyUnderWayHasPoisonedItsTarget() throws Exception {
    long source = application.allocate(BYTES);
    long stream = nonBlockingStream();
    Pointer target = pinned();
    boolean seen = false;
    for (int round = 0; round < 50 && !seen; round++) {
      FakeCuda.fakecuda_delays(round, 20_000);
      target.setMemory(0, BYTES, (byte) 0);
      application.fill(source, 1, BYTES, stream);
      Driver.check(
          "copy",
          DriverCalls.cuMemcpyDtoHAsync_v2(Pointer.nativeValue(target), source, BYTES, stream));
      while (FakeCuda.fakecuda_pending() > 0) {
        seen |= target.getByte(BYTES - 1) == POISON;
      }
      assertThat(target.getByteArray(0, BYTES)).containsOnly(1);
    }
    assertThat(seen).isTrue();
  }

  @Test
  void aSynchronousCopyOfPageableMemoryReturnsWhenItIsRead() throws Exception {
    long device = application.allocate(BYTES);
    Memory pageable = new Memory(BYTES);
    pageable.setMemory(0, BYTES, (byte) 6);
    FakeCuda.fakecuda_hold(1);

    application.write(device, pageable, BYTES);

    assertThat(FakeCuda.fakecuda_pending()).isEqualTo(1);
    pageable.clear();
    FakeCuda.fakecuda_hold(0);
    assertThat(application.read(device, BYTES)).containsOnly(6);
  }

  @Test
  void aCopyOfPageableMemoryIsCountedAndWaits() throws Exception {
    FakeCuda.fakecuda_delays(3, 5000);
    long device = application.allocate(BYTES);
    long stream = nonBlockingStream();
    Memory pageable = new Memory(BYTES);
    application.fill(device, 6, BYTES, stream);

    Driver.check(
        "copy",
        DriverCalls.cuMemcpyDtoHAsync_v2(Pointer.nativeValue(pageable), device, BYTES, stream));

    assertThat(pageable.getByteArray(0, BYTES)).containsOnly(6);
    assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isEqualTo(1);
    assertThat(FakeCuda.fakecuda_count("null_stream_copies")).isZero();
  }

  @Test
  void theNullStreamWaitsForBlockingStreamsAlone() throws Exception {
    long memory = application.allocate(BYTES);
    long other = application.allocate(BYTES);
    long apart = nonBlockingStream();
    long stream = application.stream();
    for (int seed = 0; seed < 8; seed++) {
      FakeCuda.fakecuda_delays(seed, 10_000);
      application.fill(memory, 1, BYTES, stream);
      application.fill(memory, 2, BYTES, 0);
      application.fill(memory, 3, BYTES, stream);
      assertThat(application.read(memory, BYTES)).containsOnly(3);
    }
    FakeCuda.fakecuda_hang_work(1);
    application.fill(other, 1, BYTES, apart);
    assertThat(application.read(memory, BYTES)).containsOnly(3);
    assertThat(FakeCuda.fakecuda_pending()).isEqualTo(1);
  }

  @Test
  void memoryThatIsFreedUnderACopyIsCounted() throws Exception {
    FakeCuda.fakecuda_delays(2, 30_000);
    long memory = application.allocate(BYTES);
    for (int i = 0; i < 5; i++) {
      application.fill(memory, i, BYTES, 0);
    }
    application.free(memory);
    assertThat(FakeCuda.freedInFlight()).isEqualTo(1);
  }

  @Test
  void aKernelRunsOnTheProcessorInTheOrderOfItsStream() throws Exception {
    Path source = Files.writeString(directory.resolve("kernels.c"), KERNELS);
    Path library = FakeCuda.build("kernels", List.of(), List.of(source));
    assertThat(FakeCuda.fakecuda_kernels(library.toString())).isZero();
    FakeCuda.fakecuda_delays(9, 3000);
    LongByReference function = new LongByReference();
    assertThat(application.loads(PTX, "cairn_ad", function)).isEqualTo(500);
    assertThat(application.loads(PTX, "cairn_add", function)).isZero();
    long memory = application.allocate(BYTES);
    long stream = application.stream();

    application.fill(memory, 40, BYTES, stream);
    application.launch(function.getValue(), memory, 2, stream);

    byte[] found = application.read(memory, BYTES);
    assertThat(List.of(found[0], found[31], found[32]))
        .containsExactly((byte) 42, (byte) 42, (byte) 40);
    assertThat(FakeCuda.fakecuda_count("kernels")).isEqualTo(1);
  }
}
