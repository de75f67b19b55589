package io.cairn.dl4j;

import io.cairn.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** ND4J's arrays as regions, for loops of a program's own. */
public final class NdArrays {
  private static final int MOST_DESCRIBED = 128;

  private NdArrays() {}

  /**
   * A region over the memory of an array, captured and restored in place. Its elements must follow
   * each other without gaps, in C or Fortran order; a view such as a slice of rows may be part of a
   * larger buffer. A checkpoint of another data type, shape or order is refused. Protect the region
   * again by {@link io.cairn.Checkpointer#relocate} if the program replaces the array.
   *
   * <p>On ND4J's backend for CUDA it is memory of the GPU, in the order of the calling thread's
   * streams. Cairn asks ND4J for the newer side before each checkpoint, and tells it of a restore.
   * A checkpoint fails with the remedy if ND4J moved the array, or another thread takes it.
   *
   * @param name of the region
   * @param array of a backend for CPUs or CUDA; the region keeps it reachable
   * @throws IllegalArgumentException naming region and remedy, if the array is empty, closed,
   *     compressed, of strings, attached to a workspace, or has gaps between its elements, or if it
   *     is not known where ND4J's backend keeps its arrays
   */
  public static Region region(String name, INDArray array) {
    TrainedMemory memory = TrainedMemory.of("region " + name);
    char order = requireCapturable(name, array);
    long bytes = array.length() * array.data().getElementSize();
    return memory.region(name, array, bytes, kind(array, order));
  }

  /**
   * One region over several arrays, which share chunks; see {@link Region#gather}. A checkpoint of
   * other arrays, or of the same in another sequence, is refused.
   *
   * @param arrays each as for {@link #region}
   * @throws IllegalArgumentException as {@link #region}, naming the array by its number from 0 on
   */
  public static Region gather(String name, List<INDArray> arrays) {
    List<Region> spans = new ArrayList<>(arrays.size());
    for (int array = 0; array < arrays.size(); array++) {
      try {
        spans.add(region(name, arrays.get(array)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "array %d of %d: %s", array, arrays.size(), e.getMessage()),
            e);
      }
    }
    return Region.gather(name, spans);
  }

  /** Returns the order of the elements in memory. */
  private static char requireCapturable(String name, INDArray array) {
    if (array.wasClosed() || array.isEmpty()) {
      throw refused(name, "the array is empty or closed", "protect it when it has elements");
    }
    if (array.isCompressed() || array.dataType() == DataType.UTF8) {
      throw refused(
          name,
          "an array of type " + array.dataType() + " has elements of different lengths",
          "protect a blob, with a supplier and a consumer");
    }
    if (array.isAttached()) {
      throw refused(
          name, "a workspace owns the array's memory and will use it again", "protect detach()");
    }
    if (isDense(array, 'c')) {
      return 'c';
    } else if (isDense(array, 'f')) {
      return 'f';
    }
    throw refused(
        name,
        "a view of shape %s and strides %s has gaps between its elements"
            .formatted(Arrays.toString(array.shape()), Arrays.toString(array.stride())),
        "protect the array that it is a view of, or a copy by dup()");
  }

  private static IllegalArgumentException refused(String name, String reason, String remedy) {
    return new IllegalArgumentException("region " + name + ": " + reason + "; " + remedy);
  }

  /** Whether the elements follow each other in this order. */
  private static boolean isDense(INDArray array, char order) {
    long stride = 1;
    boolean dense = true;
    for (int i = 0; i < array.rank(); i++) {
      int dimension = order == 'f' ? i : array.rank() - 1 - i;
      long size = array.size(dimension);
      dense &= size == 1 || array.stride(dimension) == stride;
      stride *= size;
    }
    return dense;
  }

  /** Such as {@code float[3, 4]}, or {@code float[3, 4] f}; a very long shape is left out. */
  private static String kind(INDArray array, char order) {
    String type = array.dataType().name().toLowerCase(Locale.ROOT);
    String suffix = order == 'f' ? " f" : "";
    String kind = type + Arrays.toString(array.shape()) + suffix;
    return kind.length() <= MOST_DESCRIBED
        ? kind
        : type + "[" + array.length() + "] of rank " + array.rank() + suffix;
  }
}
