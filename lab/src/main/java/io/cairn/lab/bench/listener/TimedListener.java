package io.cairn.lab.bench.listener;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;

/** Passes every call on to a listener and adds up the time that it takes. Not thread-safe. */
final class TimedListener {
  private final TrainingListener listener;
  private final TrainingListener timed;
  private long nanos;

  TimedListener(TrainingListener listener) {
    this.listener = listener;
    timed =
        (TrainingListener)
            Proxy.newProxyInstance(
                TrainingListener.class.getClassLoader(),
                new Class<?>[] {TrainingListener.class},
                (proxy, method, arguments) -> time(method, arguments));
  }

  /** The listener to put on a model. */
  TrainingListener timed() {
    return timed;
  }

  /** Time inside the listener since the last call of this. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }

  private @Nullable Object time(Method method, Object[] arguments) throws Throwable {
    long start = System.nanoTime();
    try {
      return method.invoke(listener, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    } finally {
      nanos += System.nanoTime() - start;
    }
  }
}
