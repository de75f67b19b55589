package io.cairn.engine.session;

import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.StoreWait;
import java.io.IOException;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rank that is about to join its group, and collects what it knows of it. Immutable. */
record Arrival(SessionContext context, Member member) {
  private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

  /**
   * The birth of the group in this process's store, and the greatest epoch known here. Waits for a
   * store that fails, as long as {@code store.patience} says; not for one that refuses it for good.
   *
   * @throws RestoreException if the store does not show the group in time
   * @throws CancellationException if the rank was cancelled or the thread interrupted
   */
  Origin origin() {
    StoreWait wait = new StoreWait(member.toString(), context.storePatience(), context.nanoTime());
    while (true) {
      try {
        return context
            .promotion()
            .enter(member.group())
            .atLeast(atDevice())
            .at(context.planners().nodes().own());
      } catch (IOException e) {
        OptionalLong pause = wait.failed(e);
        if (pause.isEmpty()) {
          LOG.error("{} cannot join", member, e);
          throw new RestoreException(member + " cannot join: " + reason(e));
        }
        pause(pause.getAsLong());
      }
    }
  }

  private String reason(IOException failure) {
    return StoreWait.isInVain(failure)
        ? "STORE refuses it, and would at each later try: " + failure.getMessage()
        : String.format(
            Locale.ROOT,
            "STORE did not show its group within store.patience (%d s): %s",
            context.storePatience().toSeconds(),
            failure.getMessage());
  }

  private long atDevice() {
    return context.cache().of(member.group(), member.rank()).stream()
        .mapToLong(cached -> cached.id().epoch())
        .max()
        .orElse(0);
  }

  private void pause(long millis) {
    context.interruption().run();
    try {
      context.waits().sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException(member + " was interrupted while it waited for STORE")
              .initCause(e);
    }
    context.interruption().run();
  }
}
