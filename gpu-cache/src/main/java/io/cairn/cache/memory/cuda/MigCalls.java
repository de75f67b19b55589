package io.cairn.cache.memory.cuda;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * A call of drivers since CUDA 11.4, in a class of its own so that older ones can be bound: the
 * UUID of a part of a GPU, by which two parts of one GPU differ.
 */
final class MigCalls {
  private MigCalls() {}

  /** Whether the library has the call, which is bound then. */
  static boolean bind(NativeLibrary library) {
    try {
      Native.register(MigCalls.class, library);
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  static native int cuDeviceGetUuid_v2(byte[] uuid, int device);
}
