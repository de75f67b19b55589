package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory.Opened;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device as other processes see it: a sign of life, since the driver does not report the death of
 * an owner. The sign is shared memory, whose file carries a lock for the owner's life. It has a
 * page for each slab, which says whether the owner has given the slab up. Thread-safe.
 */
final class OwnerSign implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerSign.class);
  private static final int PAGE_BYTES = Long.BYTES;
  private static final long GIVEN_UP = 1;

  private final Path directory;
  private final UUID gpu;
  private final SharedMemoryDevice life;

  private OwnerSign(Path directory, UUID gpu, SharedMemoryDevice life) {
    this.directory = directory;
    this.gpu = gpu;
    this.life = life;
  }

  /**
   * Makes the sign.
   *
   * @param directory for the files; made if missing
   * @param pages of the device
   */
  static OwnerSign open(Path directory, CudaContext context, int pages) throws IOException {
    UUID gpu = context.uuid();
    long bytes = (long) pages * PAGE_BYTES;
    return new OwnerSign(directory, gpu, SharedMemoryDevice.open(directory, directory, bytes));
  }

  /** The GPU. */
  UUID gpu() {
    return gpu;
  }

  /** A page that says that its slab is in use. */
  DeviceAddress newPage() throws IOException {
    DeviceAddress page = life.allocate(PAGE_BYTES);
    write(page, 0);
    return page;
  }

  /** No other process knows the page, and its slab has ended. */
  void free(DeviceAddress page) {
    life.free(page);
  }

  /** Says that the slab of a page is given up. */
  void giveUp(DeviceAddress page) {
    write(page, GIVEN_UP);
  }

  private void write(DeviceAddress page, long value) {
    try (MappedBytes bytes = life.inPlace(page).orElseThrow()) {
      bytes.buffer().putLong(0, value);
    }
  }

  /** A handle to a page. */
  ExportedMemory export(DeviceAddress page) {
    return life.export(page);
  }

  /** The importers of a slab of any device, whose owner uses the same directory. */
  Importers importersOf(UUID slab) {
    return new Importers(directory, slab);
  }

  /**
   * Opens a page of another device; the caller closes it.
   *
   * @throws IOException if its owner is dead, or has closed it
   */
  Opened follow(ExportedMemory page) throws IOException {
    Opened followed = life.open(page);
    if (followed.address().bytes() != PAGE_BYTES) {
      followed.close();
      throw new IOException(
          "a sign of life has " + PAGE_BYTES + " bytes, not those of " + followed);
    }
    return new Page(followed);
  }

  private final class Page implements Opened {
    private final Opened page;

    Page(Opened page) {
      this.page = page;
    }

    @Override
    public DeviceAddress address() {
      return page.address();
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return page.ownerIsGone();
    }

    @Override
    public boolean isGivenUp() {
      ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
      return life.copyToHostAsync(page.address(), found).isDone() && found.getLong(0) == GIVEN_UP;
    }

    @Override
    public void close() {
      page.close();
    }
  }

  /** Ends the sign. From then on every process sees that the owner is gone. */
  @Override
  public void close() {
    try {
      life.close();
    } catch (UncheckedIOException e) {
      LOG.warn("the sign of a GPU's memory stays until another process starts", e);
    }
  }
}
