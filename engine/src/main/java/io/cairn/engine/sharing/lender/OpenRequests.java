package io.cairn.engine.sharing.lender;

import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Requests of borrowers that have no answer yet, of which some came twice. Not thread-safe. */
final class OpenRequests {
  private final Map<Asked, List<CompletableFuture<LeaseAnswer>>> open = new HashMap<>();

  /** What an answer belongs to: a claim has one, and so has a release. */
  private record Asked(LeaseId id, Subject subject) {}

  private enum Subject {
    CLAIM,
    FILLED,
    RELEASE,
    RELEASE_SOME;

    static Subject of(LeaseRequest request) {
      if (request instanceof LeaseRequest.Acquire) {
        return CLAIM;
      } else if (request instanceof LeaseRequest.Filled) {
        return FILLED;
      } else if (request instanceof LeaseRequest.Release) {
        return RELEASE;
      } else if (request instanceof LeaseRequest.ReleaseSome) {
        return RELEASE_SOME;
      }
      throw new IllegalArgumentException("no known lease request: " + request);
    }

    /** What this answers; null if it comes unasked. */
    static @Nullable Subject of(LeaseAnswer answer) {
      if (answer instanceof LeaseAnswer.Granted || answer instanceof LeaseAnswer.Refused) {
        return CLAIM;
      } else if (answer instanceof LeaseAnswer.Acknowledged
          || answer instanceof LeaseAnswer.Rejected) {
        return FILLED;
      } else if (answer instanceof LeaseAnswer.Released) {
        return RELEASE;
      } else if (answer instanceof LeaseAnswer.ReleasedSome) {
        return RELEASE_SOME;
      } else if (answer instanceof LeaseAnswer.Revoked) {
        return null;
      }
      throw new IllegalArgumentException("no known lease answer: " + answer);
    }
  }

  void add(LeaseRequest request, CompletableFuture<LeaseAnswer> answer) {
    open.computeIfAbsent(new Asked(request.id(), Subject.of(request)), a -> new ArrayList<>(1))
        .add(answer);
  }

  /** A lease is over: nobody will verify what was announced under it. */
  void over(LeaseId id) {
    fail(
        new Asked(id, Subject.FILLED), new IllegalStateException(id + " is over: nothing is held"));
  }

  /** What is asked will have no answer. */
  void fail(LeaseRequest request, RuntimeException why) {
    fail(new Asked(request.id(), Subject.of(request)), why);
  }

  private void fail(Asked asked, RuntimeException why) {
    List<CompletableFuture<LeaseAnswer>> waiting = open.remove(asked);
    if (waiting != null) {
      waiting.forEach(one -> one.completeExceptionally(why));
    }
  }

  /** Gives an answer to all that wait for it; whether there was one. */
  boolean answer(LeaseAnswer answer) {
    Subject subject = Subject.of(answer);
    List<CompletableFuture<LeaseAnswer>> waiting =
        subject == null ? null : open.remove(new Asked(answer.id(), subject));
    if (waiting == null) {
      return false;
    }
    waiting.forEach(one -> one.complete(answer));
    return true;
  }
}
