package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rank whose process was stopped between its join and its restore. */
class LaterEpochTest {
  private static final GroupId GROUP = new GroupId("job", "run");

  private final List<String> received = new ArrayList<>();
  private final CheckpointStore store = new CrashingStore(1);
  private final GroupHost host =
      CallersThread.hosts(store, () -> 0)
          .host(
              GROUP, 1, (rank, name, message) -> received.add(message.getClass().getSimpleName()));

  private void restore(long epoch, CheckpointId newest) {
    host.on(new MemberMessage.Offer(0, epoch, List.of(candidate(newest))));
    host.on(new MemberMessage.Vote(0, epoch, newest, Optional.of(Level.STORE), ""));
  }

  private void join() throws IOException {
    host.on(new MemberMessage.Join(0, 1, "a", new Origin(GroupBirth.of(store, GROUP), 0)));
  }

  private static Candidate candidate(CheckpointId id) {
    return new Candidate(id, Digest.of(new byte[0]), Ancestry.NONE);
  }

  /** STORE would skip each of its checkpoints, as older than the one that it resumed from. */
  @Test
  void aRankThatResumesFromALaterAttemptIsFenced() throws IOException {
    join();
    long later = new EpochFiles(store).take(GROUP, 1, "another process");
    assertThat(later).isEqualTo(2);

    restore(1, new CheckpointId(GROUP, later, 5));

    assertThat(received).containsExactly("Joined", "Verify", "Resume", "Fenced");
  }

  /** The claims were lost; a checkpoint on another node has outlived them. */
  @Test
  void withoutALaterClaimALaterEpochBegins() throws IOException {
    CheckpointId survivor = new CheckpointId(GROUP, 2, 5);
    join();
    host.on(new MemberMessage.Offer(0, 1, List.of(candidate(survivor))));
    assertThat(received).containsExactly("Joined", "Joined");
    assertThat(new EpochFiles(store).newest(GROUP)).isEqualTo(3);

    restore(3, survivor);

    assertThat(received).containsExactly("Joined", "Joined", "Verify", "Resume");
  }
}
