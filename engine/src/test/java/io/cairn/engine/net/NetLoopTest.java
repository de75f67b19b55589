package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NetLoopTest {
  /** It closes its channel, and then lacks memory to say so. */
  private record Failing(Pipe pipe, AtomicInteger ended) implements NetLoop.Member {
    @Override
    public void ready(SelectionKey key) {}

    @Override
    public void look(long nowNanos) {}

    @Override
    public void end(Throwable cause) {
      ended.incrementAndGet();
      throw new OutOfMemoryError("as a test wants it");
    }
  }

  @Test
  void aMemberThatFailsToEndLeavesNoOtherOpen() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    List<Pipe> pipes = new ArrayList<>();
    NetLoop loop = NetLoop.start("loop", System::nanoTime);
    CompletableFuture<SelectionKey> last = new CompletableFuture<>();
    for (int i = 0; i < 3; i++) {
      Pipe pipe = Pipe.open();
      pipes.add(pipe);
      pipe.source().configureBlocking(false);
      boolean isLast = i == 2;
      loop.soon(
          () -> {
            try {
              SelectionKey key =
                  loop.register(pipe.source(), SelectionKey.OP_READ, new Failing(pipe, ended));
              if (isLast) {
                last.complete(key);
              }
            } catch (IOException e) {
              last.completeExceptionally(e);
            }
          });
    }
    SelectionKey key = last.get();

    loop.close();

    assertThat(ended).hasValue(3);
    assertThat(key.selector().isOpen()).isFalse();
    for (Pipe pipe : pipes) {
      pipe.source().close();
      pipe.sink().close();
    }
  }
}
