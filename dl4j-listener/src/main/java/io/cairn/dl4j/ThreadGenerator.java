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

  /** The fields of each class of generator; a search takes longer than all else in a capture. */
  private static final ClassValue<Optional<Spare>> SPARES =
      new ClassValue<>() {
        @Override
        protected Optional<Spare> computeValue(Class<?> type) {
          return field(type, HAS_SPARE)
              .flatMap(has -> field(type, SPARE).map(value -> new Spare(has, value)));
        }
      };

  private ThreadGenerator() {}

  /** The present state. */
  static RandomState state() {
    Random random = Nd4j.getRandom();
    Optional<Spare> spare = SPARES.get(random.getClass()).filter(fields -> fields.isIn(random));
    return new RandomState(
        random.rootState(),
        random.nodeState(),
        spare.isPresent(),
        spare.isPresent() ? spare.get().of(random) : 0.0);
  }

  /** Sets the state, also one that another thread had. */
  static void set(RandomState state) {
    Random random = Nd4j.getRandom();
    random.setStates(state.root(), state.node());
    SPARES.get(random.getClass()).ifPresent(spare -> spare.set(random, state));
  }

  private static Optional<Field> field(Class<?> generator, String name) {
    for (@Nullable Class<?> type = generator; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field.trySetAccessible() ? Optional.of(field) : Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /** The private fields of one class of generator. */
  private record Spare(Field has, Field value) {
    boolean isIn(Random random) {
      try {
        return has.getBoolean(random);
      } catch (IllegalAccessException e) {
        throw accessible(e);
      }
    }

    double of(Random random) {
      try {
        return value.getDouble(random);
      } catch (IllegalAccessException e) {
        throw accessible(e);
      }
    }

    void set(Random random, RandomState state) {
      try {
        has.setBoolean(random, state.hasSpareGaussian());
        value.setDouble(random, state.spareGaussian());
      } catch (IllegalAccessException e) {
        throw accessible(e);
      }
    }

    private static IllegalStateException accessible(IllegalAccessException e) {
      return new IllegalStateException("the field was made accessible", e);
    }
  }
}
