package io.cairn.lab.gpu.kit;

import java.io.IOException;

/** A call of the driver that failed. */
final class GpuException extends IOException {
  private static final long serialVersionUID = 1;

  GpuException(String call, String name) {
    super(call + " failed: " + name);
  }
}
