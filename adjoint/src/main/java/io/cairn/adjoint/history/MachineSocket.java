package io.cairn.adjoint.history;

import io.cairn.core.model.OpenParts;
import io.cairn.core.threads.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place at which a process serves others of its machine: a socket in a directory, and a lock
 * beside it, which the kernel frees when the process dies. Thread-safe.
 */
final class MachineSocket implements Closeable {
  /** A path of a socket is no longer; the kernel's bound is 107. */
  static final int MOST_PATH_BYTES = 107;

  private static final Logger LOG = LoggerFactory.getLogger(MachineSocket.class);
  private static final int MOST_CONNECTIONS = 1024;

  /** After a connection that failed. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  /** Waits for the next connection. */
  interface Accepting {
    SocketChannel accept() throws IOException;
  }

  private final Path directory;
  private final Path path;
  private final FileChannel lock;
  private final ServerSocketChannel server;
  private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);

  private MachineSocket(Path directory, Path path, FileChannel lock, ServerSocketChannel server) {
    this.directory = directory;
    this.path = path;
    this.lock = lock;
    this.server = server;
  }

  /**
   * Takes the place of a device.
   *
   * @throws IOException naming the directory, if others may use it, its path is too long, or
   *     another process has the place
   */
  static MachineSocket open(Path directory, int device) throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER));
    Path path = path(directory, device);
    if (path.toString().getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s is too long for a socket, whose path has at most %d bytes: use another directory",
              path,
              MOST_PATH_BYTES));
    }
    try (OpenParts open = new OpenParts()) {
      FileChannel lock =
          open.add(
              DirectoryLock.take(
                  directory.resolve(String.format(Locale.ROOT, "device-%d.lock", device)),
                  String.format(
                      Locale.ROOT,
                      "device %d of %s belongs to another process",
                      device,
                      directory)));
      requirePrivate(
          directory, directory.resolve(String.format(Locale.ROOT, "device-%d.lock", device)));
      Files.deleteIfExists(path); // of a process that was killed
      return open.keep(new MachineSocket(directory, path, lock, bind(path)));
    }
  }

  /** A user who writes into the directory can take the place of any process. */
  private static void requirePrivate(Path directory, Path own) throws IOException {
    if (!OWNER.containsAll(Files.getPosixFilePermissions(directory))
        || !Files.getOwner(directory).equals(Files.getOwner(own, LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(directory + " is open to other users: use one of mode 700 of your own");
    }
  }

  private static ServerSocketChannel bind(Path path) throws IOException {
    try (OpenParts open = new OpenParts()) {
      ServerSocketChannel server = open.add(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
      return open.keep(server.bind(UnixDomainSocketAddress.of(path)));
    }
  }

  private static Path path(Path directory, int device) {
    return directory.resolve("device-" + device);
  }

  /** Gives each connection to a service, on a thread of its own, until {@link #stop}. */
  void serve(Consumer<SocketChannel> service) {
    serve(server::accept, service);
  }

  /** Like the other, of connections that come from elsewhere. */
  void serve(Accepting from, Consumer<SocketChannel> service) {
    DaemonThreads.unstarted("cairn-histories-accept", () -> accept(from, service)).start();
  }

  private void accept(Accepting from, Consumer<SocketChannel> service) {
    boolean open = true;
    while (open) {
      try {
        begin(from.accept(), service);
      } catch (ClosedChannelException e) {
        LOG.debug("{} serves no more", path, e);
        open = false;
      } catch (IOException e) {
        // such as too many open files, some of which are closed again
        LOG.warn("{} took no connection, and tries again", path, e);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void begin(SocketChannel accepted, Consumer<SocketChannel> service) throws IOException {
    if (connections.tryAcquire()) {
      DaemonThreads.unstarted("cairn-lent", () -> serve(accepted, service)).start();
    } else {
      accepted.close();
    }
  }

  private void serve(SocketChannel accepted, Consumer<SocketChannel> service) {
    try {
      service.accept(accepted);
    } finally {
      connections.release();
    }
  }

  /**
   * Connects to the process that has the place of another device.
   *
   * @throws IOException if there is none
   */
  MachineChannel connect(int device) throws IOException {
    return MachineChannel.connect(path(directory, device));
  }

  /** Takes no connection any more; those that were taken last. Idempotent. */
  void stop() {
    try {
      if (server.isOpen()) {
        server.close();
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LOG.warn("{} was not removed", path, e);
    }
  }

  /** Leaves the place to another process. Idempotent. */
  @Override
  public void close() {
    stop();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("the lock of {} was not released in order", path, e);
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
