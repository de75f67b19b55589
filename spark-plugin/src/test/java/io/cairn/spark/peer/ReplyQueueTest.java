package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** How often replies wake an event loop. */
class ReplyQueueTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<Integer> sent = new ArrayList<>();
  private final ReplyQueue replies = new ReplyQueue(loop::add);

  private void runLoop() {
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
  }

  private void reply(int number) {
    replies.add(() -> sent.add(number));
  }

  @Test
  void aThousandRepliesWakeTheLoopOnce() {
    for (int i = 0; i < 1000; i++) {
      reply(i);
    }

    assertThat(loop).hasSize(1);
    runLoop();
    assertThat(sent).hasSize(1000).isSorted();
  }

  @Test
  void aReplyAfterTheLoopRanWakesItAgain() {
    reply(1);
    runLoop();

    reply(2);
    runLoop();

    assertThat(sent).containsExactly(1, 2);
  }

  @Test
  void aLoopThatHasEndedDropsReplies() {
    ReplyQueue ended =
        new ReplyQueue(
            task -> {
              throw new RejectedExecutionException("ended");
            });

    ended.add(() -> sent.add(1));
    ended.add(() -> sent.add(2));

    assertThat(sent).isEmpty();
  }
}
