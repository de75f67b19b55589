package io.cairn.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds and deletes the files of this machine that no process of Cairn uses any more. A running
 * process holds the lock of its arena, and writes to its node directory. Stateless.
 */
final class Leftovers {
  private Leftovers() {}

  /**
   * Something that may be deleted.
   *
   * @param kind {@code arena} or {@code node}
   * @param bytes of all its files
   * @param idle since its newest file was written, or, if it has none, the directory
   */
  record Leftover(String kind, Path path, long bytes, Duration idle) {}

  /**
   * The arenas whose owner is dead.
   *
   * @param device the directory of devices; may be missing
   */
  static List<Leftover> arenas(Path device, Instant now) throws IOException {
    List<Leftover> found = new ArrayList<>();
    for (Path file : children(device.resolve("arenas"))) {
      if (file.toString().endsWith(".arena") && ownerIsDead(file)) {
        found.add(leftover("arena", file, now));
      }
    }
    return found;
  }

  /**
   * The directories of stores that no process has written to for a time.
   *
   * @param node the directory of nodes; may be missing
   */
  static List<Leftover> nodes(Path node, Instant now, Duration idle) throws IOException {
    List<Leftover> found = new ArrayList<>();
    for (Path store : children(node)) {
      if (Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)) {
        Leftover candidate = leftover("node", store, now);
        if (candidate.idle().compareTo(idle) >= 0) {
          found.add(candidate);
        }
      }
    }
    return found;
  }

  /** Deletes it; an arena only if its owner is still dead. Follows no link. */
  static void delete(Leftover leftover) throws IOException {
    if (leftover.kind().equals("arena") && !ownerIsDead(leftover.path())) {
      return;
    }
    List<Path> all;
    try (Stream<Path> files = Files.walk(leftover.path())) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** Whether no process holds the lock that an arena's owner keeps for its life. */
  private static boolean ownerIsDead(Path arena) throws IOException {
    try (FileChannel channel =
            FileChannel.open(arena, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Leftover leftover(String kind, Path path, Instant now) throws IOException {
    long[] bytes = {0};
    Instant[] newest = {Instant.MIN};
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += attributes.size();
            Instant written = attributes.lastModifiedTime().toInstant();
            newest[0] = written.isAfter(newest[0]) ? written : newest[0];
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    Instant written =
        newest[0].equals(Instant.MIN) ? Files.getLastModifiedTime(path).toInstant() : newest[0];
    return new Leftover(kind, path, bytes[0], Duration.between(written, now));
  }
}
