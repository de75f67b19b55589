package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.internal.PathSegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One file of a store, by its whole place.
 *
 * @param root of the store, or the file's directory
 * @param id of the checkpoint; empty if the directories above the file are no checkpoint's
 * @param name last segment
 */
record StoredFile(String root, Optional<CheckpointId> id, String name) {
  /** The file, if the argument names one; a store has another name than the files in it. */
  static Optional<StoredFile> of(String argument) {
    String name = argument.substring(argument.lastIndexOf('/') + 1);
    boolean named =
        StoreNames.isContainer(name)
            || StoreNames.isManifest(name)
            || StoreNames.parseQuarantined(name).isPresent();
    return named || isFile(argument) ? Optional.of(split(argument, name)) : Optional.empty();
  }

  private static boolean isFile(String argument) {
    return !argument.contains(":") && Files.isRegularFile(Path.of(argument));
  }

  private static StoredFile split(String argument, String name) {
    String directory = parent(argument);
    String group = parent(directory);
    String job = parent(group);
    String[] names = {last(job), last(group), last(directory)};
    if (PathSegment.isLegal(names[0]) && PathSegment.isLegal(names[1])) {
      Optional<CheckpointId> id = CheckpointId.parse(new GroupId(names[0], names[1]), names[2]);
      if (id.isPresent()) {
        return new StoredFile(parent(job), id, name);
      }
    }
    return new StoredFile(directory, Optional.empty(), name);
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "." : slash == 0 ? "/" : path.substring(0, slash);
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
