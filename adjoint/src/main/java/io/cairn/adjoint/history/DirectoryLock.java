package io.cairn.adjoint.history;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A kernel lock on a file, which ends with the process. */
final class DirectoryLock {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

  private DirectoryLock() {}

  /**
   * Takes the lock; closing the channel releases it.
   *
   * @param file made if missing
   * @throws IOException with that message, if another has it
   */
  static FileChannel take(Path file, String taken) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("{} is locked by this process", file, e);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new IOException(taken);
  }
}
