package io.cairn.adjoint.history;

import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.OpenParts;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.Wire;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory in which the processes of one user on one machine find each other. Each has the place
 * of a device, and leaves a note there: its address, and a page of shared memory that lasts as long
 * as its process. Thread-safe.
 */
final class MeetingPlace implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MeetingPlace.class);
  private static final int PAGE_BYTES = 4096;

  /** A note has an address and a path. */
  private static final int MOST_NOTE_BYTES = 64 << 10;

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private final Path directory;
  private final int device;
  private final FileChannel lock;
  private final DeviceMemory life;
  private final PeerTransport transport;
  private final Duration patience;
  private boolean left;

  private MeetingPlace(
      Path directory,
      int device,
      FileChannel lock,
      DeviceMemory life,
      PeerTransport transport,
      Duration patience) {
    this.directory = directory;
    this.device = device;
    this.lock = lock;
    this.life = life;
    this.transport = transport;
    this.patience = patience;
  }

  /**
   * Takes the place of a device, where nobody finds this process before {@link #announce}. The
   * processes prove a secret to each other, which lies there.
   *
   * @param directory made if missing, for this user alone
   * @param service answers the others
   * @param patience the longest wait for one of them
   * @throws IOException naming the directory, if others may use it, or another process has the
   *     place
   */
  static MeetingPlace open(Path directory, int device, PeerService service, Duration patience)
      throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER));
    Path locked = directory.resolve(String.format(Locale.ROOT, "device-%d.lock", device));
    try (OpenParts open = new OpenParts()) {
      String taken =
          String.format(
              Locale.ROOT, "device %d of %s belongs to another process", device, directory);
      FileChannel lock = open.add(DirectoryLock.take(locked, taken));
      requirePrivate(directory, locked);
      DeviceMemory life = open.add(SharedMemoryDevice.open(directory, directory, PAGE_BYTES));
      PeerTransport transport =
          open.add(
              TcpPeerTransport.open(
                  InetAddress.getLoopbackAddress().getHostAddress(),
                  0,
                  PeerSecret.in(directory.resolve("secret")),
                  service,
                  PeerLimits.DEFAULT.withAnswer(patience)));
      return open.keep(new MeetingPlace(directory, device, lock, life, transport, patience));
    }
  }

  /** A user who writes into the directory can take the place of any process. */
  private static void requirePrivate(Path directory, Path own) throws IOException {
    if (!OWNER.containsAll(Files.getPosixFilePermissions(directory))
        || !Files.getOwner(directory).equals(Files.getOwner(own, LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(directory + " is open to other users: use one of mode 700 of your own");
    }
  }

  private Path note(int of) {
    return directory.resolve(String.format(Locale.ROOT, "device-%d", of));
  }

  /** Others find this process from now on. To be called once. */
  void announce() throws IOException {
    SlotExport page = new SlotExport(0, 1, life.export(life.allocate(PAGE_BYTES)));
    Greeting note = new Greeting(newHolder(), "", PAGE_BYTES, List.of(page.toMessage()));
    Path written = directory.resolve(String.format(Locale.ROOT, "device-%d.new", device));
    Files.write(written, Wire.encode(note));
    Files.move(written, note(device), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A name that leads to this process, and that was never given before. */
  String newHolder() {
    return HolderId.of(String.format(Locale.ROOT, "%d", device), transport.address()).toString();
  }

  /**
   * Finds the process of a device. The caller closes it, before this place.
   *
   * @throws IOException if there is none, or its note cannot be read
   */
  MachineProcess find(int of) throws IOException {
    try {
      Path file = note(of);
      if (Files.size(file) > MOST_NOTE_BYTES) {
        throw new IOException(file + " is too long for a note: remove it");
      }
      Greeting note = Wire.decode(Files.readAllBytes(file), Greeting.class);
      PeerAddress address = HolderId.parse(note.holder()).address();
      List<SlotExport> pages = SlotExport.of(note);
      if (pages.isEmpty()) {
        throw new IOException(file + " names no memory: remove it");
      }
      return new MachineProcess(address, life.open(pages.get(0).handle()), transport, patience);
    } catch (NoSuchFileException e) {
      throw new IOException(
          String.format(Locale.ROOT, "no process has device %d of %s", of, directory), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(note(of) + " is no note of this version: " + e.getMessage(), e);
    }
  }

  /**
   * Finds the process with this name, as {@link #newHolder} gives it.
   *
   * @throws IOException if it has no place here
   * @throws IllegalArgumentException if it is no such name
   */
  MachineProcess find(String holder) throws IOException {
    HolderId id = HolderId.parse(holder);
    MachineProcess found = find(Integer.parseInt(id.process()));
    if (!found.address().equals(id.address())) {
      found.close();
      throw new IOException(holder + " has no place in " + directory);
    }
    return found;
  }

  /** Leaves the place to another process; those that know this one see it live on. Idempotent. */
  synchronized void leave() {
    if (left) {
      return;
    }
    left = true;
    try (lock) {
      Files.deleteIfExists(note(device)); // before another process can have the place
    } catch (IOException e) {
      LOG.warn("device {} of {} was not left in order", device, directory, e);
    }
  }

  /** Leaves, and counts as dead from now on. To be called when no memory is lent or borrowed. */
  @Override
  public void close() {
    leave();
    transport.close();
    life.close(); // the lenders that were not told of a lease's end see this
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
