package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.wire.StagingReply;
import io.cairn.core.wire.StagingRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An owner, and servers that say what the test wants. */
@Timeout(60)
class StagingProcessesTest {
  private static final CheckpointId ID = Written.id(1, 20);
  private static final StagingReply STAGED =
      new StagingReply.Staged(
          new ContainerSummary(
              StoreNames.container(0, "s1"), 9, Digest.of(new byte[0]), List.of(0)));

  private final List<StagingRequest> said = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong();
  private StagingOwner owner;

  @BeforeEach
  void own() throws IOException {
    owner = new StagingOwner(ID, 0, 1, 1000);
  }

  private StagingDialogue.Server server(Function<StagingRequest, StagingReply> behaviour) {
    Exchange exchange =
        bytes -> {
          StagingRequest request = Wire.decodeStagingRequest(bytes);
          said.add(request);
          return CompletableFuture.completedFuture(Wire.encode(behaviour.apply(request)));
        };
    return new StagingDialogue.Server("server", exchange);
  }

  private static StagingDialogue.Server dead(AtomicInteger asked) {
    return new StagingDialogue.Server(
        "dead",
        bytes -> {
          asked.incrementAndGet();
          return CompletableFuture.failedFuture(new ConnectException("nobody serves"));
        });
  }

  private void requireRefused(StagingReply reply, String message) {
    StagingDialogue dialogue = owner.dialogue(server(request -> reply));

    assertThatThrownBy(() -> dialogue.run("owner", "store"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThat(dialogue.isSilent()).isFalse();
  }

  private StagingProcesses processes(StagingDialogue.Server... servers) {
    return new StagingProcesses(
        List.of(servers), "owner", () -> "store", group -> owner.node, clock::get);
  }

  @Test
  void aServerReceivesNoBytesButThoseOfTheRank() {
    String file = owner.part.containers().get(0).file();
    long length = owner.part.containers().get(0).bytes();

    requireRefused(new StagingReply.Wanted(1, ID, "../secret", 0, 9), "not offered");
    requireRefused(new StagingReply.Wanted(1, Written.id(1, 19), file, 0, 9), "not offered");
    requireRefused(new StagingReply.Wanted(1, ID, file, length - 8, 9), "wants");
    requireRefused(new StagingReply.Wanted(1, ID, file, Long.MAX_VALUE, 9), "wants");
    assertThat(said).noneMatch(request -> request instanceof StagingRequest.Bring);
    assertThat(said).filteredOn(StagingRequest.Withdraw.class::isInstance).hasSize(4);
  }

  @Test
  void aContainerOfAnotherRankIsNotBelieved() {
    requireRefused(
        new StagingReply.Staged(
            new ContainerSummary(
                StoreNames.container(1, "s1"), 9, Digest.of(new byte[0]), List.of(1))),
        "answers with");
  }

  @Test
  void anOwnerEndsTheDialogueOnceItsGroupGaveTheCheckpointUp() {
    AtomicInteger looks = new AtomicInteger();
    StagingDialogue dialogue =
        new StagingDialogue(
            server(request -> new StagingReply.Nothing()),
            owner.part,
            StagingOwner.BIRTH,
            owner.node,
            () -> looks.incrementAndGet() > 3,
            clock::get);

    assertThatThrownBy(() -> dialogue.run("owner", "store")).isInstanceOf(SkippedException.class);

    assertThat(said).hasSize(5).last().isInstanceOf(StagingRequest.Withdraw.class);
  }

  @Test
  void aServerThatTakesTooLongIsGivenUp() {
    StagingDialogue.Server slow =
        server(
            request -> {
              clock.addAndGet(20_000_000_000L);
              return new StagingReply.Nothing();
            });
    StagingDialogue dialogue =
        new StagingDialogue(
            slow, owner.part, StagingOwner.BIRTH, owner.node, () -> false, clock::get);

    assertThatThrownBy(() -> dialogue.run("owner", "store")).hasMessageContaining("too long");
    assertThat(said).last().isInstanceOf(StagingRequest.Withdraw.class);
  }

  @Test
  void theNextServerWritesWhatADeadOneDoesNotAndTheDeadOneIsLeftAlone() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    StagingProcesses processes = processes(dead(asked), server(request -> STAGED));

    for (int i = 0; i < 3; i++) {
      assertThat(processes.write(owner.part, "", () -> false)).isPresent();
    }
    assertThat(asked.get()).as("asked once at most, by the turn of the rank").isLessThan(2);

    StagingProcesses alone = processes(dead(asked), dead(asked));
    int before = asked.get();
    assertThatThrownBy(() -> alone.write(owner.part, "", () -> false))
        .hasMessageContaining("nobody serves");
    assertThat(alone.write(owner.part, "", () -> false)).as("it writes itself").isEmpty();
    assertThat(asked).hasValue(before + 2);

    clock.addAndGet(61_000_000_000L);
    assertThatThrownBy(() -> alone.write(owner.part, "", () -> false)).isNotNull();
    assertThat(asked).as("after a while they are asked again").hasValue(before + 4);
  }

  @Test
  void aServerThatRefusesIsAskedAgain() throws IOException {
    StagingProcesses processes = processes(server(request -> new StagingReply.Refused("full")));

    for (int i = 1; i <= 2; i++) {
      assertThatThrownBy(() -> processes.write(owner.part, "", () -> false))
          .hasMessageContaining("full");
      assertThat(said).hasSize(i);
    }
  }

  @Test
  void theRanksAreSpreadOverTheServers() throws IOException {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    for (int rank = 0; rank < 4; rank++) {
      owner = new StagingOwner(ID, rank, 4, 100);
      StagingReply staged =
          new StagingReply.Staged(
              new ContainerSummary(
                  StoreNames.container(rank, "s1"), 9, Digest.of(new byte[0]), List.of(rank)));
      processes(
              server(
                  request -> {
                    first.incrementAndGet();
                    return staged;
                  }),
              server(
                  request -> {
                    second.incrementAndGet();
                    return staged;
                  }))
          .write(owner.part, "", () -> false);
    }

    assertThat(first).hasValue(2);
    assertThat(second).hasValue(2);
  }
}
