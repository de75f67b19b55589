package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device that copies later, and one of whose copies ends in an error. */
@Timeout(60)
class LandingErrorTest {
  @TempDir Path root;

  private final AtomicBoolean broken = new AtomicBoolean();

  /** The next wait for the copy throws, if the test says so. */
  private final class BreakableCopy implements CopyEvent {
    private final CopyEvent below;

    BreakableCopy(CopyEvent below) {
      this.below = below;
    }

    @Override
    public boolean isDone() {
      return below.isDone();
    }

    @Override
    public void await() throws IOException, InterruptedException {
      if (broken.getAndSet(false)) {
        throw new NoClassDefFoundError("io/cairn/Missing");
      }
      below.await();
    }

    @Override
    public int checksum(int chunk) {
      return below.checksum(chunk);
    }
  }

  private DeviceMemory device() {
    DelayedDevice below = new DelayedDevice(1 << 20, 3);
    return (DeviceMemory)
        Proxy.newProxyInstance(
            DeviceMemory.class.getClassLoader(),
            new Class<?>[] {DeviceMemory.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(below, arguments);
              return method.getName().equals("copyAndChecksumAsync")
                  ? new BreakableCopy((CopyEvent) result)
                  : result;
            });
  }

  /** The cache has room for one checkpoint. */
  @Test
  void anErrorFailsTheCaptureAndKeepsNoSlot() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn =
            CairnEngine.open(
                places.config("device.cacheSize", "24k", "node.every", "1"),
                LocalStore.open(places.store(), Durability.PROCESS),
                device());
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      broken.set(true);

      CheckpointTicket lost = checkpointer.checkpoint(0);

      assertThat(lost.captured().get()).isInstanceOf(Outcome.Failed.class);
      assertThat(lost.sealed(Level.NODE).get()).isInstanceOf(Outcome.Failed.class);
      CheckpointTicket next = toy.run(checkpointer, 1, 2);
      assertThat(next.captured().get()).isInstanceOf(Outcome.Captured.class);
    }
  }
}
