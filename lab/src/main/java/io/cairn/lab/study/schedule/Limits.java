package io.cairn.lab.study.schedule;

import io.cairn.cli.Json;

/**
 * Limits of a problem that is read: far beyond any machine, and small enough that no line exhausts
 * memory and no sum overflows.
 */
final class Limits {
  /** Devices of a topology. */
  static final int DEVICES = 100_000;

  /** Direct links of a topology: all pairs of 4096 devices. */
  static final int LINKS = 1 << 24;

  /** Bytes of a name or number. */
  static final int TOKEN_BYTES = Json.LONGEST_TOKEN;

  /** A remainder, a spare or a chunk, 64 TiB: so many of all devices still sum up in a long. */
  static final long BYTES = 1L << 46;

  /** A rate is 0 or at least this. */
  static final double LEAST_RATE = 1e-3;

  /** No rate is above this. */
  static final double GREATEST_RATE = 1e18;

  private Limits() {}
}
