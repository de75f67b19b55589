package io.cairn.dl4j;

import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.Nd4jBackend;

/** Requires a backend of ND4J whose arrays live in host memory. Stateless; thread-safe. */
final class HostArrays {
  /*
   * A backend for GPUs keeps a copy of an array in host memory, and the address that ND4J shows is
   * that of the copy. A restore into it leaves the GPU's values as they are, without an error.
   */

  private HostArrays() {}

  /**
   * Checks the backend that ND4J uses now.
   *
   * @param subject would be captured, for the message
   * @throws IllegalArgumentException naming the subject, the backend and the remedy, if arrays live
   *     on a GPU
   */
  static void require(String subject) {
    Nd4jBackend backend = Nd4j.getBackend();
    if (!backend.getEnvironment().isCPU()) {
      throw new IllegalArgumentException(
          ("%s: arrays of ND4J's backend %s live on a GPU, and a restore would change only their"
                  + " copies in host memory; replace nd4j-cuda on the class path by"
                  + " nd4j-native-platform")
              .formatted(subject, backend.getClass().getSimpleName()));
    }
  }
}
