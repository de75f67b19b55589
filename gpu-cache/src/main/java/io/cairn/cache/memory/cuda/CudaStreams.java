package io.cairn.cache.memory.cuda;

import java.util.ArrayList;
import java.util.List;

/**
 * The streams of one device.
 *
 * @param up to the device
 * @param down to the host
 * @param ordered after the application's work, which may take long
 * @param orders that work alone, so that its end is known
 */
record CudaStreams(long up, long down, long ordered, long orders) {
  private static final int STREAMS = 4;

  static CudaStreams create(CudaContext context) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      List<Long> streams = new ArrayList<>();
      try {
        for (int i = 0; i < STREAMS; i++) {
          streams.add(calls.newStream());
        }
        return new CudaStreams(streams.get(0), streams.get(1), streams.get(2), streams.get(3));
      } catch (CudaException e) {
        for (long stream : streams) {
          calls.destroyStream(stream);
        }
        throw e;
      }
    }
  }

  List<Long> all() {
    return List.of(up, down, ordered, orders);
  }

  void destroy(CurrentContext calls) throws CudaException {
    for (long stream : all()) {
      calls.destroyStream(stream);
    }
  }
}
