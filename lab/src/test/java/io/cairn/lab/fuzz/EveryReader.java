package io.cairn.lab.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * All fuzz targets as one, so that one process searches for all of them: the first byte chooses the
 * target, which is given the rest.
 */
public final class EveryReader {
  /** In a fixed order. */
  static final List<Method> TARGETS =
      Stream.of(ContainerFuzzTest.class, TextFuzzTest.class, WireFuzzTest.class)
          .flatMap(test -> Stream.of(test.getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(FuzzTest.class))
          .sorted(Comparator.comparing(EveryReader::name))
          .toList();

  private EveryReader() {}

  /** The name of a target, such as {@code WireFuzzTest#span}. */
  static String name(Method target) {
    return target.getDeclaringClass().getSimpleName() + "#" + target.getName();
  }

  /** The target that an input is for. */
  static Method target(byte[] input) {
    return TARGETS.get(Byte.toUnsignedInt(input[0]) % TARGETS.size());
  }

  /** The part of an input that its target is given. */
  static byte[] rest(byte[] input) {
    return Arrays.copyOfRange(input, 1, input.length);
  }

  /** Runs the target of an input that is not empty; called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) throws Throwable {
    if (input.length == 0) {
      return;
    }
    Method target = target(input);
    try {
      var constructor = target.getDeclaringClass().getDeclaredConstructor();
      target.invoke(constructor.newInstance(), (Object) rest(input));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
