package io.cairn.cache.memory.cuda;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.cairn.CheckpointId;
import io.cairn.DeviceName;
import io.cairn.GroupId;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process whose weights lie on a GPU, and their checkpoint in its own cache there and in slots of
 * a lender. It captures, writes over the weights, restores them, and says what was moved.
 */
final class PeerBorrower {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "borrower"), 1, 7);
  private static final byte[] CONTENT = CudaBorrower.content();

  private final String library;
  private final int gpu;
  private final CudaContext context;

  private PeerBorrower(String library, int gpu) throws IOException {
    this.library = library;
    this.gpu = gpu;
    context = CudaContext.retain(Driver.load(library), gpu, Duration.ofMinutes(1));
  }

  static Command command(int gpu, Path directory, SlotExport all, int[] slots, boolean peers) {
    return Command.java(
            PeerBorrower.class,
            FakeCuda.library(),
            gpu,
            directory,
            HexFormat.of().formatHex(all.handle().encode()),
            Arrays.stream(slots).mapToObj(String::valueOf).collect(Collectors.joining(",")))
        .environment("FAKECUDA_KERNELS", FakeCuda.kernels())
        .environment("FAKECUDA_PEERS", peers ? "1" : "0")
        .small(64)
        .withErrorsInOutput();
  }

  public static void main(String[] args) throws Exception {
    PeerBorrower process = new PeerBorrower(args[0], Integer.parseInt(args[1]));
    ExportedMemory handle = ExportedMemory.decode(HexFormat.of().parseHex(args[3]));
    SlotExport lent = new SlotExport(0, CudaBorrower.LENDER_SLOTS, handle);
    int[] slots = Stream.of(args[4].split(",", -1)).mapToInt(Integer::parseInt).toArray();
    process.run(Path.of(args[2]), lent, slots);
    System.out.println("closed");
  }

  private void run(Path directory, SlotExport lent, int[] slots) throws Exception {
    CudaOptions options =
        new CudaOptions(
            library,
            gpu,
            CudaBorrower.HOME_BYTES,
            Devices.PINNED_BYTES,
            Duration.ofMinutes(1),
            directory);
    try (CudaDevice device = CudaDevice.open(options);
        ChunkCache cache =
            new ChunkCache(device, CudaBorrower.HOME_BYTES, CudaBorrower.CHUNK_BYTES);
        PeerSlots lender = PeerSlots.open(device, List.of(lent), CudaBorrower.CHUNK_BYTES)) {
      System.out.println("reached " + lender.areReached());
      if (lender.areReached()) {
        captureAndRestore(device, cache, lender.lease(slots, () -> {}));
      }
      while (System.in.read() >= 0) {
        System.out.println("gone " + lender.peerIsGone());
      }
    }
  }

  private void captureAndRestore(CudaDevice device, ChunkCache cache, LeasedPlaces leased)
      throws Exception {
    Region.OnDevice weights = weights();
    ProtectedRegions regions = new ProtectedRegions(device, CudaBorrower.CHUNK_BYTES);
    regions.protect(weights);
    Moved before = moved();
    CachedCheckpoint checkpoint = capture(cache, regions.snapshot(), leased);
    System.out.println("captured " + moved().since(before));

    fill(weights, new byte[CONTENT.length]);
    before = moved();
    System.out.println("verified " + restore(checkpoint, new DeviceResident(weights)));
    System.out.println("restored " + moved().since(before));
    System.out.println("same " + Arrays.equals(read(device, weights), CONTENT));
  }

  private static CachedCheckpoint capture(ChunkCache cache, Snapshot snapshot, LeasedPlaces leased)
      throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(ID, 0, snapshot.chunks());
    Capture capture = snapshot.copyInto(checkpoint);
    checkpoint.add(leased);
    capture.resume();
    checkpoint.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    return checkpoint;
  }

  /** As a restore does for memory that the device holds; returns how many chunks verified. */
  private static int restore(CachedCheckpoint checkpoint, DeviceResident weights)
      throws IOException {
    RegionImage image = checkpoint.images().get(0);
    int verified = 0;
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      Place place = checkpoint.place(chunk);
      try (DeviceBytes bytes =
          place.engine().held(place.address().slice(0, image.chunkLength(chunk))).orElseThrow()) {
        verified += bytes.checksum() == image.checksum(chunk) ? 1 : 0;
        bytes.copyTo(weights, (long) chunk * CudaBorrower.CHUNK_BYTES);
      }
    }
    return verified;
  }

  /** Memory of the application with the content, written on a stream of its own. */
  private Region.OnDevice weights() throws IOException {
    try (CurrentContext calls = context.enter()) {
      ReadyAfter after = new ReadyAfter.Stream(calls.newStream());
      Region.OnDevice made =
          new Region.OnDevice(
              "weights",
              new DeviceName("cuda", gpu),
              calls.allocate(CONTENT.length),
              CONTENT.length,
              after,
              this);
      fill(made, CONTENT);
      return made;
    }
  }

  private void fill(Region.OnDevice weights, byte[] content) throws IOException {
    try (CurrentContext calls = context.enter()) {
      long stream = ((ReadyAfter.Stream) weights.after()).handle();
      long pinned = calls.allocateHost(content.length);
      CurrentContext.bytes(pinned, content.length).put(content);
      calls.copyToDevice(weights.address(), pinned, content.length, stream);
      calls.freeHost(pinned); // which waits for the copy
    }
  }

  private static byte[] read(CudaDevice device, Region.OnDevice weights) throws IOException {
    byte[] found = new byte[CONTENT.length];
    DeviceResident source = new DeviceResident(weights);
    device.workBefore(List.of(source)).awaitLanding();
    device.copyFromResidentAsync(source, 0, ByteBuffer.wrap(found)).awaitLanding();
    return found;
  }

  /** Bytes that were moved, by their way. */
  private record Moved(long withinDevice, long betweenDevices, long throughHost) {
    Moved since(Moved before) {
      return new Moved(
          withinDevice - before.withinDevice,
          betweenDevices - before.betweenDevices,
          throughHost - before.throughHost);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%d %d %d", withinDevice, betweenDevices, throughHost);
    }
  }

  private Moved moved() {
    Function count = NativeLibrary.getInstance(library).getFunction("fakecuda_count");
    return new Moved(
        count.invokeLong(new Object[] {"device_bytes"}),
        count.invokeLong(new Object[] {"peer_bytes"}),
        count.invokeLong(new Object[] {"crossed_bytes"}));
  }
}
