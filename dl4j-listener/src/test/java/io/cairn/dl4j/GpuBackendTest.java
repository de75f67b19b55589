package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nd4j.common.io.Resource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Environment;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.Nd4jBackend;

/** A backend of which nobody knows where its arrays are: a restore may not reach them. */
class GpuBackendTest {
  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();
  private final MultiLayerNetwork model = TestNets.adam();
  private final INDArray array = Nd4j.ones(3, 4);
  private final Nd4jBackend host = Nd4j.getBackend();

  /** A backend that computes nothing, and says that its arrays live on a GPU. */
  private static final class GpuBackend extends Nd4jBackend {
    private final Nd4jBackend host;

    GpuBackend(Nd4jBackend host) {
      this.host = host;
    }

    @Override
    public Environment getEnvironment() {
      return (Environment)
          Proxy.newProxyInstance(
              GpuBackendTest.class.getClassLoader(),
              new Class<?>[] {Environment.class},
              (proxy, method, arguments) ->
                  method.getName().equals("isCPU")
                      ? (Object) false
                      : method.invoke(host.getEnvironment(), arguments));
    }

    @Override
    public boolean allowsOrder() {
      return host.allowsOrder();
    }

    @Override
    public int getPriority() {
      return BACKEND_PRIORITY_GPU;
    }

    @Override
    public boolean isAvailable() {
      return true;
    }

    @Override
    public boolean canRun() {
      return true;
    }

    @Override
    public Resource getConfigurationResource() {
      return host.getConfigurationResource();
    }

    @Override
    @SuppressWarnings("rawtypes") // as in the superclass
    public Class getNDArrayClass() {
      return host.getNDArrayClass();
    }

    @Override
    public String buildInfo() {
      return "a fake";
    }

    @Override
    public void logBackendInit() {}
  }

  @BeforeEach
  void compute() {
    model.init();
    Nd4j.backend = new GpuBackend(host);
  }

  @AfterEach
  void restore() {
    Nd4j.backend = host;
  }

  @Test
  void aTrainingIsRefused() {
    MemoryCheckpointer checkpointer = checkpoints.join();

    assertThatThrownBy(() -> CairnTraining.resume(model, TestData.shuffling(), checkpointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("GpuBackend", "nd4j-native-platform");
    assertThat(checkpointer.closed).isTrue();
  }

  @Test
  void aListenerRestoresNothing() {
    assertThatThrownBy(() -> new CairnListener(checkpoints.join()).restore(model))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("GpuBackend", "nd4j-native-platform");
  }

  @Test
  void aListenerCapturesNothing() {
    model.setListeners(new CairnListener(checkpoints.join()));

    model.fit(TestData.shuffling().next());

    assertThat(checkpoints.checkpoints).isEmpty();
  }

  @Test
  void anArrayIsRefusedByTheNameOfItsRegion() {
    assertThatThrownBy(() -> NdArrays.region("wave", array))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("region wave", "GpuBackend", "nd4j-native-platform");
  }
}
