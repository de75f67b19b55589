package io.cairn.lab.gpu.kit;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Operations of libtorch by its stable C functions, which libraries of 2.10 and later have. Nothing
 * is compiled. No operation with an argument of type Scalar is among them, no {@code grad} of a
 * tensor, and no state of a generator. One thread uses it.
 */
final class TorchCalls {
  private static final String DISPATCHER = "torch_call_dispatcher";

  /** Of the stable functions that this class knows: 2.10. */
  private static final long VERSION = 2L << 56 | 10L << 48;

  private final NativeLibrary cpu;
  private final NativeLibrary last;
  private final int device;
  private final int ordinal;
  private final List<Tensor> results = new ArrayList<>();

  /** A tensor, by libtorch's handle. */
  record Tensor(long handle) {}

  private TorchCalls(NativeLibrary cpu, NativeLibrary last, int device, int ordinal) {
    this.cpu = cpu;
    this.last = last;
    this.device = device;
    this.ordinal = ordinal;
  }

  /**
   * Loads libtorch.
   *
   * @param ordinal of the GPU on which it computes; negative for the CPU
   * @throws IOException if it cannot be loaded, or is older than 2.10
   */
  static TorchCalls load(Libtorch torch, int ordinal) throws IOException {
    List<NativeLibrary> loaded = new ArrayList<>();
    try {
      for (Path library : torch.libraries()) {
        loaded.add(NativeLibrary.getInstance(library.toString()));
      }
      loaded.get(1).getFunction(DISPATCHER);
    } catch (UnsatisfiedLinkError e) {
      String reason = e.toString().lines().findFirst().orElse("without a reason");
      throw new IOException(
          "the libtorch in " + torch.directory() + " is not of 2.10 or later: " + reason, e);
    }
    NativeLibrary cpu = loaded.get(1);
    String type = ordinal < 0 ? "aoti_torch_device_type_cpu" : "aoti_torch_device_type_cuda";
    int device = cpu.getFunction(type).invokeInt(new Object[0]);
    return new TorchCalls(cpu, loaded.get(loaded.size() - 1), device, ordinal);
  }

  private void invoke(String function, Object... arguments) {
    check(function, cpu.getFunction(function).invokeInt(arguments));
  }

  private static void check(String call, int code) {
    if (code != 0) {
      throw new IllegalStateException(call + " failed; libtorch's reason is in the log above");
    }
  }

  /** The stream on which operations run now; 0 is the default stream, and the CPU has none. */
  long stream() {
    if (ordinal < 0) {
      return 0;
    }
    PointerByReference stream = new PointerByReference();
    String call = "aoti_torch_get_current_cuda_stream";
    check(call, last.getFunction(call).invokeInt(new Object[] {ordinal, stream}));
    return Pointer.nativeValue(stream.getValue());
  }

  /** A number that libtorch has for a type, such as {@code float32}. */
  int type(String name) {
    return cpu.getFunction("aoti_torch_dtype_" + name).invokeInt(new Object[0]);
  }

  /** An uninitialised tensor where operations run; it lives as long as the process. */
  Tensor empty(String type, long... sizes) {
    return empty(device, Math.max(0, ordinal), type, sizes);
  }

  /** An uninitialised tensor in memory of the host. */
  Tensor onHost(String type, long... sizes) {
    int host = cpu.getFunction("aoti_torch_device_type_cpu").invokeInt(new Object[0]);
    return empty(host, 0, type, sizes);
  }

  private Tensor empty(int where, int index, String type, long... sizes) {
    long[] strides = new long[sizes.length];
    long stride = 1;
    for (int i = sizes.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= sizes[i];
    }
    LongByReference made = new LongByReference();
    long rank = sizes.length;
    invoke("aoti_torch_empty_strided", rank, sizes, strides, type(type), where, index, made);
    return new Tensor(made.getValue());
  }

  /** The address of its first element. */
  long address(Tensor tensor) {
    PointerByReference address = new PointerByReference();
    invoke("torch_get_mutable_data_ptr", tensor.handle, address);
    return Pointer.nativeValue(address.getValue());
  }

  /** The bytes of its storage. */
  long bytes(Tensor tensor) {
    LongByReference bytes = new LongByReference();
    invoke("aoti_torch_get_storage_size", tensor.handle, bytes);
    return bytes.getValue();
  }

  /** Copies values from one tensor to another, wherever they lie. */
  void copy(Tensor to, Tensor from) {
    several("copy_", 1, to, from, false);
  }

  /** Gives a tensor back that no operation has made. */
  void delete(Tensor tensor) {
    invoke("aoti_torch_delete_tensor_object", tensor.handle);
  }

  /** An operation with one result, which lives until {@link #free}. */
  Tensor one(String operation, Object... arguments) {
    return several(operation, 1, arguments)[0];
  }

  /**
   * An operation.
   *
   * @param operation such as {@code sum.dim_IntList}
   * @param count of its results, which live until {@link #free}
   * @param arguments tensors, integers, doubles, booleans, arrays of tensors, {@code long[]} for an
   *     optional list of integers, an optional of a tensor, and an empty one for any that is absent
   */
  Tensor[] several(String operation, int count, Object... arguments) {
    String[] name = operation.split("\\.", 2);
    String overload = name.length > 1 ? name[1] : "";
    long[] stack = new long[Math.max(arguments.length, count)];
    for (int i = 0; i < arguments.length; i++) {
      stack[i] = word(arguments[i]);
    }
    invoke(DISPATCHER, "aten::" + name[0], overload, stack, VERSION);
    Tensor[] made = new Tensor[count];
    Arrays.setAll(made, i -> new Tensor(stack[i]));
    results.addAll(Arrays.asList(made));
    return made;
  }

  /** Gives back all results of operations. */
  void free() {
    results.forEach(this::delete);
    results.clear();
  }

  /** An argument as the dispatcher takes it. It takes handles, lists and boxes over. */
  private long word(Object argument) {
    if (argument instanceof Tensor tensor) {
      return copyOfHandle(tensor);
    } else if (argument instanceof Integer number) {
      return number;
    } else if (argument instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    } else if (argument instanceof Boolean flag) {
      return flag ? 1 : 0;
    } else if (argument instanceof Tensor[] tensors) {
      return list(Arrays.stream(tensors).mapToLong(this::copyOfHandle).toArray());
    } else if (argument instanceof long[] numbers) {
      return box(list(numbers));
    } else if (argument instanceof Optional<?> tensor) {
      return tensor.isEmpty() ? 0 : box(copyOfHandle((Tensor) tensor.get()));
    }
    throw new IllegalArgumentException("no argument of an operation: " + argument);
  }

  private long copyOfHandle(Tensor tensor) {
    LongByReference copy = new LongByReference();
    invoke("aoti_torch_new_tensor_handle", tensor.handle, copy);
    return copy.getValue();
  }

  private long list(long... words) {
    LongByReference list = new LongByReference();
    invoke("torch_new_list_reserve_size", (long) words.length, list);
    for (long word : words) {
      invoke("torch_list_push_back", list.getValue(), word);
    }
    return list.getValue();
  }

  private static long box(long word) {
    long box = Native.malloc(Long.BYTES);
    new Pointer(box).setLong(0, word);
    return box;
  }
}
