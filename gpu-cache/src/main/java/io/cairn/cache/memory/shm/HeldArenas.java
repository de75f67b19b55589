package io.cairn.cache.memory.shm;

import java.nio.file.Path;

/**
 * The arenas that this process holds. A kernel file lock belongs to the process, and closing any of
 * the process's descriptors of the file releases it. So a process must never open its own arena a
 * second time, not even to check its lock. The record is kept in system properties, which all class
 * loaders of a process share.
 */
final class HeldArenas {
  private static final String PREFIX = "io.cairn.arena.";

  private HeldArenas() {}

  static void add(Path arena) {
    System.setProperty(PREFIX + arena.getFileName(), "held");
  }

  static void remove(Path arena) {
    System.clearProperty(PREFIX + arena.getFileName());
  }

  static boolean contains(Path arena) {
    return System.getProperty(PREFIX + arena.getFileName()) != null;
  }
}
