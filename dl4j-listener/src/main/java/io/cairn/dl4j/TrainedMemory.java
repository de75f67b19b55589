package io.cairn.dl4j;

import io.cairn.Region;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.Nd4jBackend;

/**
 * The memory of ND4J's arrays by its backend. Its two cases are the only classes that know on which
 * side of the machine an array lies. Stateless; thread-safe.
 */
sealed interface TrainedMemory permits TrainedMemory.HostArrays, CudaArrays {
  /*
   * A backend for GPUs keeps a copy of an array in host memory, and the address that ND4J shows is
   * that of the copy. A restore into it leaves the GPU's values as they are, without an error.
   */

  /**
   * Where the elements of an array are now, for a comparison with a later moment.
   *
   * @param address of the first element
   * @param order the device and its streams; null in host memory
   */
  record Place(long address, @Nullable Object order) {}

  /**
   * The memory of the backend that ND4J uses now.
   *
   * @param subject would be captured, for the message
   * @throws IllegalArgumentException naming the subject, the backend and the remedy, if it is
   *     neither that of the CPU nor that of CUDA
   */
  static TrainedMemory of(String subject) {
    Nd4jBackend backend = Nd4j.getBackend();
    if (backend.getEnvironment().isCPU()) {
      return HostArrays.ALL;
    } else if (isCuda(backend.getClass())) {
      return CudaArrays.ALL;
    }
    throw new IllegalArgumentException(
        ("%s: it is not known where ND4J's backend %s keeps its arrays, and a restore might change"
                + " copies alone; put nd4j-native-platform or nd4j-cuda on the class path instead")
            .formatted(subject, backend.getClass().getSimpleName()));
  }

  /**
   * The newest bytes of an array's elements, which follow each other, in host memory. A backend for
   * GPUs copies them there, if they are older or there is no such memory yet. A caller that writes
   * them tells ND4J.
   *
   * @param array not empty
   */
  static BytePointer onHost(INDArray array) {
    Nd4j.getAffinityManager().ensureLocation(array, Location.HOST);
    BytePointer memory = new BytePointer(array.data().addressPointer());
    return memory.capacity(array.length() * array.data().getElementSize());
  }

  /** By its name, since a program on CPUs has no class of nd4j-cuda. */
  private static boolean isCuda(Class<?> backend) {
    for (@Nullable Class<?> type = backend; type != null; type = type.getSuperclass()) {
      if (type.getName().equals("org.nd4j.linalg.jcublas.JCublasBackend")) {
        return true;
      }
    }
    return false;
  }

  /**
   * The present place of an array. Moves no bytes.
   *
   * @throws IllegalArgumentException as {@link #region}
   */
  Place place(INDArray array);

  /**
   * A region over an array's elements, which follow each other.
   *
   * @param kind as for {@link Region.Address}
   * @throws IllegalArgumentException naming the region and the remedy, if the backend has no memory
   *     for the array where it would be captured
   */
  Region.Span region(String name, INDArray array, long bytes, String kind);

  /** Arrays of ND4J's backend for CPUs, in host memory alone. */
  enum HostArrays implements TrainedMemory {
    /** All of them. */
    ALL;

    @Override
    public Place place(INDArray array) {
      return new Place(address(array), null);
    }

    private static long address(INDArray array) {
      return array.data().addressPointer().address();
    }

    @Override
    public Region.Span region(String name, INDArray array, long bytes, String kind) {
      return new Region.Address(name, address(array), bytes, array, kind);
    }
  }
}
