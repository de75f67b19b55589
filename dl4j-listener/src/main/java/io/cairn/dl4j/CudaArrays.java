package io.cairn.dl4j;

import io.cairn.DeviceName;
import io.cairn.MirroredMemory;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.nativeblas.OpaqueLaunchContext;

/**
 * Arrays of ND4J's backend for CUDA, each in the memory of a GPU with a copy in host memory. Uses
 * what all backends have, and no class of nd4j-cuda, whose artifact names the version of CUDA.
 */
enum CudaArrays implements TrainedMemory {
  /** All of them. */
  ALL;

  private static final String KIND = "cuda";

  /** A GPU, and the streams of the calling thread to which ND4J gives work. */
  private record Order(DeviceName device, ReadyAfter after) {
    static Order of(INDArray array) {
      NativeOps natives = NativeOpsHolder.getInstance().getDeviceNativeOps();
      OpaqueLaunchContext context = natives.defaultLaunchContext();
      // operations run on one, and some copies on the other
      ReadyAfter both =
          new ReadyAfter.All(
              List.of(
                  stream(natives.lcExecutionStream(context)),
                  stream(natives.lcCopyStream(context))));
      return new Order(
          new DeviceName(KIND, Nd4j.getAffinityManager().getDeviceForArray(array)), both);
    }

    /** ND4J has the address of a handle. */
    private static ReadyAfter.Stream stream(Pointer handle) {
      return new ReadyAfter.Stream(new PointerPointer<Pointer>(handle).get(0).address());
    }
  }

  @Override
  public Place place(INDArray array) {
    return new Place(array.data().platformAddress(), Order.of(array));
  }

  @Override
  public Region.Span region(String name, INDArray array, long bytes, String kind) {
    Order order = Order.of(array);
    Place place = place(array);
    return new Region.OnDevice(
        name,
        order.device(),
        place.address(),
        bytes,
        order.after(),
        new BothSides(name, array, place),
        kind);
  }

  /**
   * An array on a GPU and in host memory.
   *
   * @param place where it was protected
   */
  private record BothSides(String name, INDArray array, Place place) implements MirroredMemory {
    @Override
    public void bringTo(Side side) {
      if (array.wasClosed()) {
        throw new IllegalStateException(
            "region " + name + ": the array was closed, and ND4J gives its memory to others");
      }
      Nd4j.getAffinityManager().ensureLocation(array, location(side));
      requirePlace();
    }

    private void requirePlace() {
      Place now = ALL.place(array);
      if (!now.equals(place)) {
        throw new IllegalStateException(
            "region %s was protected at %s and is at %s now: protect it again by relocate, on the"
                    .formatted(name, place, now)
                + " thread that trains");
      }
    }

    private static Location location(Side side) {
      return side == Side.DEVICE ? Location.DEVICE : Location.HOST;
    }

    @Override
    public void written(Side side) {
      Nd4j.getAffinityManager().tagLocation(array, location(side));
    }

    @Override
    public long hostAddress() {
      return array.data().addressPointer().address();
    }

    /** Not by the elements of the array. */
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
