package io.cairn.lab.gpu.kit;

import com.sun.jna.Pointer;
import io.cairn.lab.gpu.kit.TorchCalls.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Linear layers with ReLU, whose backward operations are written out, and Adam's fused step. */
final class TorchLayers implements TorchTraining {
  private static final int CLASSES = 16;
  private static final int BATCHES = 2;
  private static final double RATE = 1e-3;
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final TorchCalls torch;
  private final Size size;
  private final long stream;
  private final Tensor[] parameters;
  private final Tensor[] first;
  private final Tensor[] second;
  private final Tensor[] steps;
  private final Tensor[] gradients;
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<Tensor> labels = new ArrayList<>();
  private final Tensor one;
  private final Tensor onHost;
  private long seed = 7;

  TorchLayers(TorchCalls torch, Size size) {
    this.torch = torch;
    this.size = size;
    stream = torch.stream();
    int count = 2 * (size.layers() + 1);
    parameters = new Tensor[count];
    first = new Tensor[count];
    second = new Tensor[count];
    steps = new Tensor[count];
    gradients = new Tensor[count];
    onHost = torch.onHost("float32");
    one = filled(1, 0);
    for (int i = 0; i < count; i++) {
      long[] shape = shape(i);
      parameters[i] = filled(0, 2 / Math.sqrt((double) size.width()), shape);
      first[i] = filled(0, 0, shape);
      second[i] = filled(0, 0, shape);
      steps[i] = filled(0, 0);
    }
    for (int i = 0; i < BATCHES; i++) {
      inputs.add(filled(0, 2, size.batch(), size.width()));
      labels.add(labels());
    }
    torch.free();
  }

  /** Weights and bias of each layer in turn. */
  private long[] shape(int parameter) {
    long outputs = parameter / 2 < size.layers() ? size.width() : CLASSES;
    return parameter % 2 == 0 ? new long[] {outputs, size.width()} : new long[] {outputs};
  }

  /** Around a middle, evenly over a width. */
  private Tensor filled(double middle, double width, long... shape) {
    Tensor made = torch.empty("float32", shape);
    Tensor host = torch.onHost("float32", shape);
    FloatBuffer values = onHost(host).asFloatBuffer();
    for (int i = 0; i < values.capacity(); i++) {
      values.put(i, (float) (width == 0 ? middle : middle + width * (next() - 0.5)));
    }
    torch.copy(made, host);
    torch.delete(host);
    return made;
  }

  private Tensor labels() {
    Tensor made = torch.empty("int64", size.batch());
    Tensor host = torch.onHost("int64", size.batch());
    LongBuffer values = onHost(host).asLongBuffer();
    for (int i = 0; i < values.capacity(); i++) {
      values.put(i, (long) (next() * CLASSES));
    }
    torch.copy(made, host);
    torch.delete(host);
    return made;
  }

  private ByteBuffer onHost(Tensor tensor) {
    return new Pointer(torch.address(tensor))
        .getByteBuffer(0, torch.bytes(tensor))
        .order(ByteOrder.nativeOrder());
  }

  /** Of [0, 1): a linear congruence, which is fast. */
  private double next() {
    seed = seed * 6364136223846793005L + 1442695040888963407L;
    return (seed >>> 40) * 0x1p-24;
  }

  @Override
  public List<Span> memory() {
    List<Span> spans = new ArrayList<>();
    for (Tensor[] group : List.of(parameters, first, second, steps)) {
      for (Tensor tensor : group) {
        spans.add(new Span(torch.address(tensor), torch.bytes(tensor), false));
      }
    }
    return spans;
  }

  @Override
  public byte[] values() {
    return new byte[0];
  }

  @Override
  public void setValues(byte[] values) {}

  @Override
  public long stream() {
    return stream;
  }

  @Override
  public double pass(int iteration) {
    torch.free();
    int last = size.layers();
    Tensor label = labels.get(iteration % BATCHES);
    Tensor[] into = new Tensor[last + 1];
    into[0] = inputs.get(iteration % BATCHES);
    for (int layer = 0; layer < last; layer++) {
      into[layer + 1] = torch.one("relu", linear(layer, into[layer]));
    }
    Tensor log = torch.one("_log_softmax", linear(last, into[last]), 1, false);
    Tensor[] loss = torch.several("nll_loss_forward", 2, log, label, Optional.empty(), 1, -100);
    Tensor error =
        torch.one("nll_loss_backward", one, log, label, Optional.empty(), 1, -100, loss[1]);
    error = torch.one("_log_softmax_backward_data", error, log, 1, torch.type("float32"));
    for (int layer = last; layer >= 0; layer--) {
      gradients[2 * layer] = torch.one("mm", torch.one("t", error), into[layer]);
      gradients[2 * layer + 1] =
          torch.one("sum.dim_IntList", error, new long[] {0}, false, Optional.empty());
      if (layer > 0) {
        Tensor back = torch.one("mm", error, parameters[2 * layer]);
        error = torch.one("mul.Tensor", back, torch.one("sign", into[layer]));
      }
    }
    torch.copy(onHost, loss[0]);
    return new Pointer(torch.address(onHost)).getFloat(0);
  }

  private Tensor linear(int layer, Tensor input) {
    return torch.one(
        "linear", input, parameters[2 * layer], Optional.of(parameters[2 * layer + 1]));
  }

  @Override
  public void step(int iteration) {
    new Pointer(torch.address(onHost)).setFloat(0, iteration + 1);
    for (Tensor step : steps) {
      torch.copy(step, onHost);
    }
    torch.several(
        "_fused_adam_",
        0,
        parameters,
        gradients,
        first,
        second,
        new Tensor[0],
        steps,
        RATE,
        BETA1,
        BETA2,
        0.0,
        EPSILON,
        false,
        false,
        Optional.empty(),
        Optional.empty());
  }
}
