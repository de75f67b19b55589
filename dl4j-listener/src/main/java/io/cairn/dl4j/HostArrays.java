package io.cairn.dl4j;

import io.cairn.Region;
import org.nd4j.linalg.api.ndarray.INDArray;

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
