package io.cairn.lab.gpu.kit;

import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The training of {@code shim.cpp}: autograd, batch norm, dropout, and Adam of C++. */
final class TorchShim implements TorchTraining {
  private final NativeLibrary shim;
  private final long training;
  private final long stream;

  /**
   * Makes the network.
   *
   * @param torch libtorch, which the shim needs
   * @param ordinal of the GPU, or negative for the CPU
   */
  TorchShim(String library, TorchCalls torch, int ordinal, Size size) {
    shim = NativeLibrary.getInstance(library);
    long layers = size.layers();
    training = word("cairn_open", ordinal, size.width(), layers, size.batch());
    stream = torch.stream();
  }

  private long word(String function, Object... arguments) {
    return (long) shim.getFunction(function).invoke(long.class, arguments);
  }

  @Override
  public List<Span> memory() {
    List<Span> spans = new ArrayList<>();
    LongByReference bytes = new LongByReference();
    IntByReference passWrites = new IntByReference();
    long address = word("cairn_memory", training, 0L, bytes, passWrites);
    while (address != 0) {
      spans.add(new Span(address, bytes.getValue(), passWrites.getValue() != 0));
      address = word("cairn_memory", training, (long) spans.size(), bytes, passWrites);
    }
    return spans;
  }

  /** The optimiser's count of steps, and the generator. */
  @Override
  public byte[] values() {
    byte[] generator = new byte[(int) word("cairn_generator", training, 0, new byte[0], 0L)];
    word("cairn_generator", training, 0, generator, (long) generator.length);
    return ByteBuffer.allocate(Long.BYTES + generator.length)
        .putLong(word("cairn_steps", training, -1L))
        .put(generator)
        .array();
  }

  @Override
  public void setValues(byte[] values) {
    ByteBuffer from = ByteBuffer.wrap(values);
    word("cairn_steps", training, from.getLong());
    byte[] generator = new byte[from.remaining()];
    from.get(generator);
    word("cairn_generator", training, 1, generator, (long) generator.length);
  }

  @Override
  public long stream() {
    return stream;
  }

  @Override
  public double pass(int iteration) {
    return shim.getFunction("cairn_pass").invokeDouble(new Object[] {training, iteration});
  }

  @Override
  public void step(int iteration) {
    shim.getFunction("cairn_step").invokeVoid(new Object[] {training});
  }
}
