package io.cairn.lab.planted;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process that runs tests until one test fails. It prints one line with {@link #FAILED} and the
 * test, or with {@link #GREEN} and the number of tests, and halts.
 */
final class TestRun implements TestExecutionListener {
  static final String FAILED = "planted-run failed ";
  static final String GREEN = "planted-run green ";

  private final AtomicInteger succeeded = new AtomicInteger();

  private TestRun() {}

  /**
   * Runs the tests.
   *
   * @param tests full names of test classes, or of methods after a {@code #}
   */
  public static void main(String[] tests) {
    TestRun run = new TestRun();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(tests).flatMap(TestRun::selectors).toList())
            .filters(TagFilter.excludeTags("proof"))
            .build();
    LauncherFactory.create().execute(request, run);
    end(GREEN + run.succeeded);
  }

  /** A method may have parameters, which the list does not name. */
  static Stream<DiscoverySelector> selectors(String test) {
    int mark = test.indexOf('#');
    if (mark < 0) {
      return Stream.of(selectClass(test));
    }
    Class<?> type = selectClass(test.substring(0, mark)).getJavaClass();
    String name = test.substring(mark + 1);
    List<Method> methods =
        ReflectionSupport.findMethods(
            type, method -> method.getName().equals(name), HierarchyTraversalMode.TOP_DOWN);
    if (methods.isEmpty()) {
      throw new IllegalArgumentException(test + " does not exist");
    }
    return methods.stream().map(method -> selectMethod(type, method));
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      result.getThrowable().ifPresent(Throwable::printStackTrace);
      end(FAILED + name(test));
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      succeeded.incrementAndGet();
    }
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .map(
            source ->
                source instanceof MethodSource method
                    ? simple(method.getClassName()) + "." + method.getMethodName()
                    : source instanceof ClassSource type
                        ? simple(type.getClassName())
                        : test.getDisplayName())
        .orElse(test.getDisplayName());
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** Threads of a failed test may live for ever. */
  private static void end(String line) {
    System.out.println("\n" + line);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
