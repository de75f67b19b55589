package io.cairn.flush.durability;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The order of calls that a publication survives a loss of power by:
 *
 * <ul>
 *   <li>A file is forced after its last write, before it gets another name.
 *   <li>A file gets a name only when everything else in its directory is durable: a manifest's
 *       containers.
 *   <li>The new name is durable before the old one goes.
 *   <li>What is reported is durable, contents and names.
 *   <li>Where a close persists nothing, a file is forced before it is closed.
 * </ul>
 */
final class DurabilityRules {
  /** Whether names are durable only when their directory was forced, as on a local disk. */
  private final boolean namesAreForced;

  private final Set<String> unforced = new LinkedHashSet<>();
  private final Set<String> unforcedNames = new LinkedHashSet<>();
  private final List<String> broken = new ArrayList<>();

  private DurabilityRules(boolean namesAreForced) {
    this.namesAreForced = namesAreForced;
  }

  /** The rules that calls to a local disk break. */
  static List<String> brokenOnDisk(List<FileCall> calls) {
    return new DurabilityRules(true).check(calls);
  }

  /** The rules that calls to a file system break whose server makes names durable itself. */
  static List<String> brokenOnServer(List<FileCall> calls) {
    return new DurabilityRules(false).check(calls);
  }

  private List<String> check(List<FileCall> calls) {
    calls.forEach(this::check);
    return broken;
  }

  private void check(FileCall call) {
    switch (call.kind()) {
      case CREATE, CREATE_DIRECTORY -> named(call.path());
      case WRITE -> unforced.add(call.path());
      case FORCE -> force(call.path());
      case FLUSH -> {}
      case CLOSE -> requireForcedBeforeClose(call);
      case NAME -> name(call);
      case REMOVE -> remove(call);
      case REPORT -> requireDurable("", call);
    }
  }

  private void named(String path) {
    if (namesAreForced) {
      unforcedNames.add(path);
    }
  }

  private void force(String path) {
    unforced.remove(path);
    unforcedNames.removeIf(name -> directory(name).equals(path));
  }

  private void requireForcedBeforeClose(FileCall call) {
    if (!namesAreForced) {
      require(!unforced.contains(call.path()), call, call.path() + " is not forced");
    }
  }

  private void name(FileCall call) {
    requireDurable(call.directory(), call);
    unforced.remove(call.from());
    named(call.path());
  }

  private void remove(FileCall call) {
    Set<String> others = new LinkedHashSet<>(unforcedNames);
    others.remove(call.path());
    others.removeIf(name -> !directory(name).equals(call.directory()));
    require(others.isEmpty(), call, others + " have no durable name");
    unforced.remove(call.path());
    unforcedNames.remove(call.path());
  }

  /** Requires that everything in a directory is durable, or everything if it is empty. */
  private void requireDurable(String directory, FileCall before) {
    Set<String> late = new LinkedHashSet<>(unforced);
    late.addAll(unforcedNames);
    late.removeIf(path -> !directory.isEmpty() && !directory(path).equals(directory));
    require(late.isEmpty(), before, late + " are not durable");
  }

  private void require(boolean holds, FileCall call, String otherwise) {
    if (!holds) {
      broken.add("before " + call + ": " + otherwise);
    }
  }

  private static String directory(String path) {
    return FileCall.of(FileCall.Kind.CREATE, path).directory();
  }
}
