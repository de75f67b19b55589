package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.RandomState;
import java.lang.reflect.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.rng.Random;
import org.nd4j.linalg.factory.Nd4j;

/**
 * ND4J's random generator of the calling thread. ND4J gives each thread its own. Thread-safe: a
 * thread reads and sets its own generator.
 */
final class ThreadGenerator {
  /*
   * nextGaussian() computes two numbers at once and keeps the second in private fields, which
   * ND4J's own states leave out. A backend whose generator has no such fields keeps no number.
   */
  private static final String HAS_SPARE = "generated";
  private static final String SPARE = "z1";

  private ThreadGenerator() {}

  /** The present state. */
  static RandomState state() {
    Random random = Nd4j.getRandom();
    boolean has = field(random, HAS_SPARE).map(field -> (boolean) get(field, random)).orElse(false);
    double spare = has ? field(random, SPARE).map(f -> (double) get(f, random)).orElse(0.0) : 0.0;
    return new RandomState(random.rootState(), random.nodeState(), has, spare);
  }

  /** Sets the state, also one that another thread had. */
  static void set(RandomState state) {
    Random random = Nd4j.getRandom();
    random.setStates(state.root(), state.node());
    field(random, HAS_SPARE).ifPresent(field -> put(field, random, state.hasSpareGaussian()));
    field(random, SPARE).ifPresent(field -> put(field, random, state.spareGaussian()));
  }

  private static Optional<Field> field(Random random, String name) {
    for (@Nullable Class<?> type = random.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field.trySetAccessible() ? Optional.of(field) : Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static Object get(Field field, Random random) {
    try {
      return field.get(random);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the field was made accessible", e);
    }
  }

  private static void put(Field field, Random random, Object value) {
    try {
      field.set(random, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the field was made accessible", e);
    }
  }
}
