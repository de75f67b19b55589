package io.cairn.flush.durability;

import io.cairn.flush.durability.FileCall.Kind;
import java.util.ArrayList;
import java.util.List;

/** The calls of a file system, in order. Thread-safe. */
final class FileCalls {
  private final List<FileCall> calls = new ArrayList<>();

  synchronized void add(Kind kind, String path) {
    calls.add(FileCall.of(kind, path));
  }

  synchronized void addName(String from, String to) {
    calls.add(new FileCall(Kind.NAME, to, from));
  }

  /** A call of a store or a commit returned. */
  void addReport(String what) {
    add(Kind.REPORT, what);
  }

  synchronized List<FileCall> all() {
    return List.copyOf(calls);
  }
}
