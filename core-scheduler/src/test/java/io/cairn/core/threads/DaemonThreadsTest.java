package io.cairn.core.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads that fail, with a default handler as Spark's, which ends the process. */
class DaemonThreadsTest {
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();

  @BeforeEach
  void setDefault() {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> fatal.add(failure));
  }

  @AfterEach
  void restoreDefault() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  private static void run(ThreadFactory factory, Throwable failure) throws InterruptedException {
    Thread thread = factory.newThread(() -> throwAny(failure));
    thread.start();
    thread.join();
  }

  private static void throwAny(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @Test
  void whatAThreadThrowsIsCountedAndDoesNotReachTheDefaultHandler() throws Exception {
    long earlier = DaemonThreads.failures();

    run(DaemonThreads.named("one"), new NoClassDefFoundError("io/netty/Missing"));
    run(DaemonThreads.numbered("two-"), new IllegalStateException("two"));
    run(task -> DaemonThreads.unstarted("three", task), new AssertionError("three"));

    assertThat(fatal).isEmpty();
    assertThat(DaemonThreads.failures() - earlier).isEqualTo(3);
  }

  /** A thread that lacks memory must be able to go on. */
  @Test
  void aFailureThatCannotBeDescribedIsCounted() {
    long earlier = DaemonThreads.failures();
    OutOfMemoryError failure =
        new OutOfMemoryError("as a test wants it") {
          private static final long serialVersionUID = 1;

          @Override
          public StackTraceElement[] getStackTrace() {
            throw new OutOfMemoryError("no stack trace");
          }
        };

    DaemonThreads.report("four", failure);

    assertThat(DaemonThreads.failures() - earlier).isEqualTo(1);
  }

  @Test
  void allAreDaemonsWithTheirNames() {
    ThreadFactory numbered = DaemonThreads.numbered("many-");
    List<Thread> threads =
        List.of(
            DaemonThreads.named("same").newThread(() -> {}),
            numbered.newThread(() -> {}),
            numbered.newThread(() -> {}),
            DaemonThreads.unstarted("hook", () -> {}));

    assertThat(threads).allMatch(Thread::isDaemon);
    assertThat(threads)
        .extracting(Thread::getName)
        .containsExactly("same", "many-1", "many-2", "hook");
  }

  @Test
  void aWatchedTaskEndsItsRepetitionByAnErrorThatLastsOnly() {
    long earlier = DaemonThreads.failures();
    Error lasting = new NoSuchMethodError("gone");

    DaemonThreads.watched("task", () -> throwAny(new IllegalStateException("once"))).run();
    DaemonThreads.watched("task", () -> throwAny(new OutOfMemoryError("for now"))).run();
    assertThatThrownBy(DaemonThreads.watched("task", () -> throwAny(lasting))::run)
        .isSameAs(lasting);

    assertThat(DaemonThreads.failures() - earlier).isEqualTo(3);
  }

  @Test
  void theAdviceNamesTheJarOfAClassThatDoesNotFit() {
    String where = Test.class.getName().replace('.', '/') + ".class";

    assertThat(Advice.on(new NoSuchMethodError("'void " + Test.class.getName() + ".of(int)'")))
        .contains(where)
        .contains("spark.executor.userClassPathFirst");
    assertThat(
            Advice.on(
                new LinkageError(
                    "loader "
                        + ClassLoader.class.getName()
                        + " wants to load "
                        + Test.class.getName())))
        .contains(where);
    assertThat(Advice.on(new NoClassDefFoundError("io/netty/Missing")))
        .startsWith("A class is not")
        .contains("spark.executor.userClassPathFirst");
    assertThat(Advice.on(new OutOfMemoryError("unable to create native thread")))
        .contains("memory");
  }
}
