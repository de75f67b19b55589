package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.lang.reflect.Field;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters by which DL4J's {@code EvaluativeListener}s decide when to evaluate, in the order of
 * the model's listeners. Stateless.
 *
 * <p>The encoding is big-endian, and empty without such listeners. Each listener has a byte for the
 * events that it counts (0 for ends of iterations, 1 for ends and 2 for starts of epochs), their
 * number on the training thread (8 bytes) and the number of evaluations (8 bytes).
 */
final class ListenerCounts {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerCounts.class);
  private static final int BYTES_EACH = 1 + 2 * Long.BYTES;

  /** A counter per thread, since several threads may share a listener. */
  private static final String EVENTS = "iterationCount";

  private static final String EVALUATIONS = "invocationCount";

  private ListenerCounts() {}

  /** The counters of one listener. */
  private record Counts(byte type, long events, long evaluations) {}

  /**
   * The present counters of the calling thread.
   *
   * @throws IllegalStateException if this version of DL4J keeps them elsewhere
   */
  static Bytes of(Collection<TrainingListener> listeners) {
    List<EvaluativeListener> evaluative = evaluative(listeners);
    ByteBuffer out = ByteBuffer.allocate(evaluative.size() * BYTES_EACH);
    for (EvaluativeListener listener : evaluative) {
      AtomicLong events = events(listener).get();
      out.put(code(listener.getInvocationType()))
          .putLong(events == null ? 0 : events.get())
          .putLong(evaluations(listener).get());
    }
    return Bytes.of(out.array());
  }

  /**
   * Sets the counters of the calling thread. Other listeners than those of the checkpoint keep
   * theirs, with a warning.
   *
   * @throws IllegalStateException if this version of DL4J keeps them elsewhere
   * @throws RestoreException if the bytes are of another form
   */
  static void restore(Bytes saved, Collection<TrainingListener> listeners) {
    List<Counts> counts = decode(saved);
    List<EvaluativeListener> evaluative = evaluative(listeners);
    if (!types(evaluative).equals(counts.stream().map(Counts::type).toList())) {
      LOG.warn(
          "The checkpoint has the counters of {} EvaluativeListeners, and the network has {}, or"
              + " they evaluate at other events: their counters stay as they are",
          counts.size(),
          evaluative.size());
      return;
    }
    for (int k = 0; k < counts.size(); k++) {
      events(evaluative.get(k)).set(new AtomicLong(counts.get(k).events()));
      evaluations(evaluative.get(k)).set(counts.get(k).evaluations());
    }
  }

  /** The listeners that count beginnings of epochs. */
  static List<TrainingListener> ofEpochStarts(Collection<TrainingListener> listeners) {
    return evaluative(listeners).stream()
        .filter(listener -> listener.getInvocationType() == InvocationType.EPOCH_START)
        .map(TrainingListener.class::cast)
        .toList();
  }

  private static List<EvaluativeListener> evaluative(Collection<TrainingListener> listeners) {
    List<EvaluativeListener> found = new ArrayList<>();
    for (TrainingListener listener : listeners) {
      if (listener instanceof EvaluativeListener own) {
        found.add(own);
      }
    }
    return found;
  }

  private static byte code(InvocationType type) {
    return switch (type) {
      case ITERATION_END -> 0;
      case EPOCH_END -> 1;
      case EPOCH_START -> 2;
    };
  }

  private static List<Byte> types(List<EvaluativeListener> listeners) {
    return listeners.stream().map(listener -> code(listener.getInvocationType())).toList();
  }

  private static List<Counts> decode(Bytes saved) {
    ByteBuffer in = ByteBuffer.wrap(saved.array());
    List<Counts> counts = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        counts.add(new Counts(in.get(), in.getLong(), in.getLong()));
      }
    } catch (BufferUnderflowException e) {
      RestoreException refused =
          new RestoreException(
              String.format(
                  Locale.ROOT,
                  "the counters of listeners have %d bytes, and each listener has %d",
                  saved.size(),
                  BYTES_EACH));
      refused.initCause(e);
      throw refused;
    }
    return counts;
  }

  @SuppressWarnings("unchecked") // the type of DL4J's field
  private static ThreadLocal<@Nullable AtomicLong> events(EvaluativeListener listener) {
    return (ThreadLocal<@Nullable AtomicLong>) value(EVENTS, ThreadLocal.class, listener);
  }

  private static AtomicLong evaluations(EvaluativeListener listener) {
    return (AtomicLong) value(EVALUATIONS, AtomicLong.class, listener);
  }

  /** No method reads or sets them. */
  private static Object value(String name, Class<?> type, EvaluativeListener listener) {
    try {
      Object value = field(EvaluativeListener.class, name, type).get(listener);
      if (value == null) {
        throw new IllegalStateException(
            "the field "
                + name
                + " of an EvaluativeListener is null, so it was deserialised:"
                + " make the listener anew");
      }
      return value;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the field was made accessible", e);
    }
  }

  /** A field of a listener, which this process may read. */
  static Field field(Class<?> listener, String name, Class<?> type) {
    try {
      Field field = listener.getDeclaredField(name);
      if (type.isAssignableFrom(field.getType()) && field.trySetAccessible()) {
        return field;
      }
    } catch (NoSuchFieldException e) {
      throw refused(listener, name, type, e);
    }
    throw refused(listener, name, type, null);
  }

  private static IllegalStateException refused(
      Class<?> listener, String name, Class<?> type, @Nullable Exception cause) {
    return new IllegalStateException(
        "%s has no field %s of type %s that can be read, unlike that of DL4J 1.0.0-M2.1, so its"
                .formatted(listener.getName(), name, type.getSimpleName())
            + " evaluations cannot go on after a restore: take the listener off the network",
        cause);
  }
}
