package io.cairn.lab.gpu.kit;

import com.sun.jna.ptr.FloatByReference;
import io.cairn.lab.measure.Middle;
import java.util.ArrayList;
import java.util.List;

/**
 * Times of work on one stream, by the driver's events. Other work runs before it, so that the host
 * has enqueued all of what is measured before the GPU begins it.
 */
final class StreamTiming {
  private final Gpu gpu;
  private final int rounds;
  private final long stream;
  private final long begin;
  private final long end;

  /** Work that is put on the stream. */
  interface Work {
    void start() throws Exception;
  }

  StreamTiming(Gpu gpu, int rounds) throws GpuException {
    this.gpu = gpu;
    this.rounds = rounds;
    stream = gpu.stream();
    begin = gpu.event();
    end = gpu.event();
  }

  Gpu gpu() {
    return gpu;
  }

  int rounds() {
    return rounds;
  }

  long stream() {
    return stream;
  }

  /** The median of the milliseconds that work takes, after one round that does not count. */
  double median(Work before, Work work) throws Exception {
    List<Double> millis = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      before.start();
      double found = millis(work);
      if (round > 0) {
        millis.add(found);
      }
    }
    return Middle.of(millis);
  }

  /** The milliseconds that work takes. */
  double millis(Work work) throws Exception {
    gpu.record(begin, stream);
    work.start();
    gpu.record(end, stream);
    gpu.awaitEvent(end);
    FloatByReference millis = new FloatByReference();
    gpu.call("cuEventElapsedTime", millis, begin, end);
    return Math.max(millis.getValue(), 1e-6);
  }
}
