package io.cairn.engine.coordination;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The incarnations whose joins a host has received, the newest ones. A join that arrives again is
 * no wish of its rank any more. Not thread-safe.
 */
final class KnownJoins {
  /** No message is late by so many joins. */
  private static final int MOST = 10_000;

  private final Set<String> incarnations = new LinkedHashSet<>();

  /** Adds an incarnation; true if its join is the first. */
  boolean isFirst(String incarnation) {
    boolean first = incarnations.add(incarnation);
    if (incarnations.size() > MOST) {
      incarnations.remove(incarnations.iterator().next());
    }
    return first;
  }
}
