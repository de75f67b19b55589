package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.engine.session.Timing.Timer;
import io.cairn.engine.session.Timing.Waiting;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The time for which a training waits for a capture counts as if it had been stopped at once. */
class WaitingTest {
  private final AtomicLong now = new AtomicLong();
  private final Timer timer = new Timer();

  @Test
  void waitsAreAddedToTheTimeThatACheckpointBlocks() {
    Waiting waiting = new Waiting(now::get);
    timer.begin(100, Set.of());
    Timing timing = timer.end(200).releasedAt(207).with(waiting);
    assertThat(timing.heldAt(Level.DEVICE, 300).blockedNanos()).isEqualTo(7);

    now.set(1000);
    waiting.begin();
    now.set(1030);

    assertThat(timing.heldAt(Level.DEVICE, 1030).blockedNanos()).isEqualTo(37);
    now.set(1040);
    assertThat(waiting.end()).isEqualTo(40);
    now.set(2000);
    waiting.begin();
    now.set(2001);
    waiting.end();
    assertThat(timing.heldAt(Level.DEVICE, 9000).blockedNanos()).isEqualTo(48);
    assertThat(timing.heldAt(Level.NODE, 9000).blockedNanos()).isZero();
  }

  @Test
  void anIterationIsShorterByWhatItWaited() {
    timer.begin(100, Set.of());
    timer.waited(30);
    assertThat(timer.end(200).nanos()).isEqualTo(70);
  }
}
