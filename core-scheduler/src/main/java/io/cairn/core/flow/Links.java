package io.cairn.core.flow;

import java.util.Arrays;

/** The direct links of a topology, in one of three representations. Immutable. */
sealed interface Links permits Links.Uniform, Links.Dense, Links.Sparse {
  /** Bytes per second from one device to another, 0 where there is no link. */
  double rate(int from, int to);

  /** The number of entries that {@link #peer} and {@link #rateAt} have for this device. */
  int degree(int from);

  /** The device that the entry leads to. */
  int peer(int from, int entry);

  /** The rate of the entry; 0 is no link. */
  double rateAt(int from, int entry);

  /** Every device linked to every other at one rate. */
  record Uniform(int devices, double bytesPerSecond) implements Links {
    @Override
    public double rate(int from, int to) {
      return from == to ? 0 : bytesPerSecond;
    }

    @Override
    public int degree(int from) {
      return devices - 1;
    }

    @Override
    public int peer(int from, int entry) {
      return entry < from ? entry : entry + 1;
    }

    @Override
    public double rateAt(int from, int entry) {
      return bytesPerSecond;
    }
  }

  /** A matrix in rows, for links between most pairs. */
  final class Dense implements Links {
    private final int devices;
    private final double[] rates;

    Dense(int devices, double[] rates) {
      this.devices = devices;
      this.rates = rates;
    }

    @Override
    public double rate(int from, int to) {
      return rates[from * devices + to];
    }

    @Override
    public int degree(int from) {
      return devices;
    }

    @Override
    public int peer(int from, int entry) {
      return entry;
    }

    @Override
    public double rateAt(int from, int entry) {
      return rates[from * devices + entry];
    }
  }

  /** Rows of neighbours in rising order, for links between few pairs. */
  final class Sparse implements Links {
    private final int[] first;
    private final int[] peers;
    private final double[] rates;

    Sparse(int[] first, int[] peers, double[] rates) {
      this.first = first;
      this.peers = peers;
      this.rates = rates;
    }

    @Override
    public double rate(int from, int to) {
      int at = Arrays.binarySearch(peers, first[from], first[from + 1], to);
      return at < 0 ? 0 : rates[at];
    }

    @Override
    public int degree(int from) {
      return first[from + 1] - first[from];
    }

    @Override
    public int peer(int from, int entry) {
      return peers[first[from] + entry];
    }

    @Override
    public double rateAt(int from, int entry) {
      return rates[first[from] + entry];
    }
  }
}
