package io.cairn.cache.memory;

import org.bytedeco.javacpp.Pointer;

/** The only class that mentions JavaCPP, which is an optional dependency. */
final class JavaCppMemory {
  private JavaCppMemory() {}

  static HostMemory ofPointer(String name, Object memory) {
    Pointer pointer = (Pointer) memory;
    long elements = pointer.limit() - pointer.position();
    if (pointer.isNull() || pointer.limit() <= 0 || elements < 0) {
      throw HostMemoryKinds.unsupported(name, "a null Pointer or one without a limit");
    }
    long size = pointer.sizeof();
    return NativeBuffers.memory(
        pointer.address() + pointer.position() * size, elements * size, pointer);
  }
}
