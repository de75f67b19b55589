package io.cairn.dl4j.cuda;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.nd4j.linalg.cpu.nativecpu.CpuEnvironment;
import org.nd4j.linalg.factory.Environment;
import org.nd4j.linalg.jcublas.JCublasBackend;
import org.nd4j.nativeblas.NativeOpsHolder;

/** ND4J's backend for CUDA over {@link FakeNatives}; ND4J prefers it to all others. */
public final class FakeBackend extends JCublasBackend {
  private static final int HIGHEST = 1000;

  private final Environment environment =
      (Environment)
          Proxy.newProxyInstance(
              FakeBackend.class.getClassLoader(),
              new Class<?>[] {Environment.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("isCPU")) {
                  return false;
                }
                try {
                  return method.invoke(CpuEnvironment.getInstance(), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  /** Takes the place of the natives, before ND4J loads those of a GPU. */
  public FakeBackend() {
    System.setProperty("org.nd4j.nativeblas.nativeops.init", "false");
    NativeOpsHolder.getInstance().setDeviceNativeOps(FakeNatives.SHARED.natives());
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
  public int getPriority() {
    return HIGHEST;
  }

  @Override
  public Environment getEnvironment() {
    return environment;
  }

  @Override
  public String buildInfo() {
    return "a fake";
  }

  @Override
  public void logBackendInit() {}
}
