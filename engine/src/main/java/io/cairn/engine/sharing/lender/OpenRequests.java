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

/** Requests of borrowers without an answer yet; some were sent twice. Not thread-safe. */
final class OpenRequests {
  private final Map<Asked, List<CompletableFuture<LeaseAnswer>>> open = new HashMap<>();

  /** Identifies the requests that one answer completes. */
  private record Asked(LeaseId id, Subject subject) {}

  private enum Subject {
    ACQUIRE,
    FILLED,
    RELEASE;

    static Subject of(LeaseRequest request) {
      if (request instanceof LeaseRequest.Acquire) {
        return ACQUIRE;
      } else if (request instanceof LeaseRequest.Filled) {
        return FILLED;
      } else if (request instanceof LeaseRequest.Release) {
        return RELEASE;
      }
      throw new IllegalArgumentException("no known lease request: " + request);
    }

    /** The subject of an answer; null if the answer belongs to no request. */
    static @Nullable Subject of(LeaseAnswer answer) {
      if (answer instanceof LeaseAnswer.Granted || answer instanceof LeaseAnswer.Refused) {
        return ACQUIRE;
      } else if (answer instanceof LeaseAnswer.Acknowledged
          || answer instanceof LeaseAnswer.Rejected) {
        return FILLED;
      } else if (answer instanceof LeaseAnswer.Released) {
        return RELEASE;
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

  /** Fails the open reports of filled slots of a lease that is over. */
  void over(LeaseId id) {
    fail(
        new Asked(id, Subject.FILLED),
        new IllegalStateException(id + " is over: no chunk is held"));
  }

  /** Fails a request that will get no answer. */
  void fail(LeaseRequest request, RuntimeException why) {
    fail(new Asked(request.id(), Subject.of(request)), why);
  }

  private void fail(Asked asked, RuntimeException why) {
    List<CompletableFuture<LeaseAnswer>> waiting = open.remove(asked);
    if (waiting != null) {
      waiting.forEach(one -> one.completeExceptionally(why));
    }
  }

  /** Completes the requests that wait for this answer; returns whether one did. */
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
