package io.cairn.core.threads;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The rule of every module whose classes run in an executor or a driver of Spark. The modules cli,
 * examples and lab are exempt: their threads run in processes of their own.
 */
public final class ThreadRules {
  /** Threads that are made otherwise end the executor by what they do not catch. */
  public static final ArchRule ONE_FACTORY_MAKES_THREADS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.cairn.core.threads..")
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe("makes threads", ThreadRules::makesThreads))
          .because("a thread of DaemonThreads ends no executor");

  private ThreadRules() {}

  private static boolean makesThreads(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    return target instanceof CodeUnitAccessTarget called
        && (makesItsOwn(called) || (isPool(called) && !takesFactory(called)));
  }

  private static boolean makesItsOwn(CodeUnitAccessTarget called) {
    return isConstructorOf(called, Set.of(Thread.class, Timer.class, ForkJoinPool.class))
        || (isOfExecutors(called) && called.getName().endsWith("ThreadFactory"));
  }

  private static boolean isPool(CodeUnitAccessTarget called) {
    return isConstructorOf(
            called, Set.of(ThreadPoolExecutor.class, ScheduledThreadPoolExecutor.class))
        || (isOfExecutors(called) && called.getName().startsWith("new"));
  }

  private static boolean isOfExecutors(CodeUnitAccessTarget called) {
    return called.getOwner().isEquivalentTo(Executors.class);
  }

  /** Classes that extend one of these call its constructor. */
  private static boolean isConstructorOf(CodeUnitAccessTarget called, Set<Class<?>> owners) {
    return called.getName().equals("<init>")
        && owners.stream().anyMatch(called.getOwner()::isEquivalentTo);
  }

  private static boolean takesFactory(CodeUnitAccessTarget called) {
    return called.getRawParameterTypes().stream()
        .anyMatch(type -> type.isEquivalentTo(ThreadFactory.class));
  }
}
