package io.cairn.lab.prove;

import java.util.Arrays;
import java.util.List;

/**
 * A network with an updater.
 *
 * @param network what is trained
 * @param updater by which
 */
record ProofCase(ProofNetwork network, ProofUpdater updater) {
  /** Every network with every updater. */
  static List<ProofCase> all() {
    return Arrays.stream(ProofNetwork.values())
        .flatMap(
            network ->
                Arrays.stream(ProofUpdater.values())
                    .map(updater -> new ProofCase(network, updater)))
        .toList();
  }

  /** The case that {@link #toString} names. */
  static ProofCase of(String name) {
    String[] parts = name.split("-", 2);
    return new ProofCase(ProofNetwork.valueOf(parts[0]), ProofUpdater.valueOf(parts[1]));
  }

  /** One word, such as {@code DENSE-ADAM}. */
  @Override
  public String toString() {
    return network.name() + "-" + updater.name();
  }
}
