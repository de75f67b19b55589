package io.cairn;

import java.io.IOException;
import java.util.Map;

/**
 * An engine of Cairn, found as a service by {@link Cairn}. For engines; programs call {@link
 * Cairn#open} and {@link Cairn#current}. Thread-safe.
 */
public interface CairnProvider {
  /** As {@link Cairn#open}. */
  Cairn open(Map<String, String> settings) throws IOException;

  /** As {@link Cairn#current}. */
  Cairn current();
}
