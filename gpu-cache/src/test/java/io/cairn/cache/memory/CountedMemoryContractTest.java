package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CountedMemoryContractTest extends DeviceMemoryContract {
  /** Their defaults call other methods of the same memory. */
  private static final Set<String> COMPOSED = Set.of("requireShare", "copyAndChecksumAsync");

  private final CopyCounter counter = new CopyCounter();

  @Override
  protected DeviceMemory open() {
    return counter.count(new DelayedDevice(CAPACITY_BYTES, 1));
  }

  static Stream<Method> defaults() {
    return Stream.of(DeviceMemory.class.getMethods())
        .filter(Method::isDefault)
        .filter(method -> !COMPOSED.contains(method.getName()));
  }

  /** Else the memory behind it answers as the default does. */
  @ParameterizedTest
  @MethodSource("defaults")
  void everyDefaultIsForwarded(Method method) {
    assertThatCode(
            () ->
                CountedMemory.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
        .doesNotThrowAnyException();
  }
}
