package io.cairn.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.threads.ThreadRules;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way around the factory breaks the rule. */
class ThreadRulesTest {
  static class ByConstructor {
    Thread thread = new Thread(() -> {});
  }

  static class ByReference {
    ThreadFactory factory = Thread::new;
  }

  static class ByPool {
    ExecutorService pool = Executors.newCachedThreadPool();
  }

  static class ByConstructedPool {
    ExecutorService pool = new ScheduledThreadPoolExecutor(1);
  }

  static class ByDefault {
    ThreadFactory factory = Executors.defaultThreadFactory();
  }

  static class ByInheritance extends Thread {}

  static class ByTheFactory {
    ExecutorService pool = Executors.newCachedThreadPool(DaemonThreads.named("pool"));
    ExecutorService other = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("other"));
  }

  private static boolean isBrokenBy(Class<?> example) {
    return ThreadRules.ONE_FACTORY_MAKES_THREADS
        .evaluate(new ClassFileImporter().importClasses(example))
        .hasViolation();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ByConstructor.class,
        ByReference.class,
        ByPool.class,
        ByConstructedPool.class,
        ByDefault.class,
        ByInheritance.class
      })
  void everyOtherWayBreaksTheRule(Class<?> example) {
    assertThat(isBrokenBy(example)).isTrue();
  }

  @Test
  void theFactoryKeepsIt() {
    assertThat(isBrokenBy(ByTheFactory.class)).isFalse();
  }
}
