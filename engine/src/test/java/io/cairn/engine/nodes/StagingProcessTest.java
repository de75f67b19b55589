package io.cairn.engine.nodes;

import static io.cairn.engine.nodes.StagingOwner.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.cache.memory.Until;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.wire.StagingReply;
import io.cairn.core.wire.StagingRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.coordination.HttpExchangeClient;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A staging server over HTTP, its owners, and strangers. */
@Timeout(60)
class StagingProcessTest {
  private static final CheckpointId ID = Written.id(1, 20);
  private static final String SECRET = "a secret of the job";
  private static final long MEMORY = 128 << 10;
  private static final int BYTES = 1 << 20;

  private final MemoryStore store = new MemoryStore("store");
  private final AtomicLong clock = new AtomicLong();
  private StagingProcess server;
  private Exchange exchange;

  @BeforeEach
  void serve() throws IOException {
    String unused = StoreIdentity.of(store);
    StagingOwner.claim(store);
    server = server(2);
    exchange = new HttpExchangeClient(StagingOwner.address(server.port(), SECRET));
  }

  @AfterEach
  void close() {
    clock.addAndGet(Duration.ofHours(1).toNanos()); // owners that left are not waited for
    server.close();
  }

  private StagingProcess server(int threads) throws IOException {
    StagingTerms terms =
        new StagingTerms(
            StagingOwner.address(0, SECRET),
            0,
            MEMORY,
            threads,
            StagingOwner.CHUNK_BYTES,
            Compression.NONE);
    return new StagingProcess(terms, store, Waits.REAL, clock::get);
  }

  private StagingDialogue dialogue(StagingOwner owner) {
    return owner.dialogue(StagingOwner.server(server.port(), SECRET));
  }

  private ContainerSummary stage(StagingOwner owner) throws IOException {
    return dialogue(owner).run("an owner", server.identity());
  }

  @Test
  void aServerWritesWhatItsOwnerHas() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 2, BYTES + 5);

    ContainerSummary container = stage(owner);

    owner.requireSame(store, container);
    assertThat(server.progress().containers()).isEqualTo(1);
    assertThat(server.progress().bytes()).isEqualTo(container.bytes());
    assertThat(server.progress().memoryBytes()).as("given back").isZero();
    assertThat(server.progress().orders()).isZero();
  }

  /** The next chunk lies in the other file than the bytes that were asked for ahead. */
  @Test
  void chunksOfAnOlderContainerAreFetchedInTurn() throws IOException {
    StagingOwner owner = StagingOwner.layered(Written.id(1, 10), ID, BYTES);

    ContainerSummary container = stage(owner);

    assertThat(owner.part.containers().get(0).holders()).as("leans on it").hasSize(1);
    owner.requireSame(store, container);
    assertThat(server.progress().memoryBytes()).as("given back").isZero();
  }

  @Test
  void ownersAreAskedForNoMoreThanTheMemoryHolds() throws Exception {
    server.close();
    server = server(6);
    List<StagingOwner> owners = new ArrayList<>();
    List<CompletableFuture<ContainerSummary>> staged = new ArrayList<>();
    for (int rank = 0; rank < 12; rank++) {
      StagingOwner owner = new StagingOwner(ID, rank, 12, BYTES);
      owners.add(owner);
      staged.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return stage(owner);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              task -> new Thread(task).start()));
    }

    for (int rank = 0; rank < owners.size(); rank++) {
      owners.get(rank).requireSame(store, staged.get(rank).get());
    }
    assertThat(server.progress().mostMemoryBytes())
        .isLessThanOrEqualTo(MEMORY)
        .isGreaterThan(MEMORY / 2);
    assertThat(server.progress().memoryBytes()).isZero();
  }

  @Test
  void aStrangerIsRefusedAndLearnsWhichSecretIsMeant() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 1, 100);
    StagingDialogue stranger =
        owner.dialogue(StagingOwner.server(server.port(), "another secret, a wrong one"));

    assertThatThrownBy(() -> stranger.run("a stranger", server.identity()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("secret")
        .hasMessageNotContaining(SECRET);
    assertThat(StagingOwner.files(store, ID)).isEmpty();
    assertThat(server.progress().orders()).isZero();
  }

  @Test
  void anOwnerWithAnotherStoreIsRefused() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 1, 100);

    assertThatThrownBy(() -> dialogue(owner).run("an owner", "another-store"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another-store")
        .hasMessageContaining(server.identity());
    assertThat(StagingOwner.files(store, ID)).isEmpty();
    assertThat(server.progress().refused()).isEqualTo(1);
  }

  @Test
  void aDamagedChunkIsNotWritten() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 1, BYTES);
    String path = StoreNames.file(ID, owner.part.containers().get(0).file());
    owner.node.flip(path, 8L * (BYTES / 2));

    assertThatThrownBy(() -> stage(owner)).hasMessageContaining("CRC32C");

    assertThat(StagingOwner.files(store, ID)).isEmpty();
    assertThat(server.progress().failed()).isEqualTo(1);
    assertThat(server.progress().memoryBytes()).isZero();
  }

  @Test
  void bytesThatNobodyWantsAreIgnored() throws Exception {
    StagingOwner owner = new StagingOwner(ID, 0, 1, BYTES);
    StagingReply first = say(exchange, owner.announce("a", server.identity()));
    StagingReply.Wanted wanted = (StagingReply.Wanted) first;
    SplittableRandom random = new SplittableRandom(5);

    for (int i = 0; i < 20; i++) {
      int length = random.nextInt(3 * wanted.bytes());
      long number = length == wanted.bytes() ? wanted.number() + 1 : random.nextInt(4);
      StagingReply again =
          say(exchange, new StagingRequest.Bring("a", number, ByteBuffer.allocate(length)));
      assertThat(again).as("seed 5, try %d", i).isEqualTo(wanted);
    }
    assertThat(server.progress().memoryBytes()).isEqualTo(wanted.bytes());
  }

  @Test
  void ordersThatAreNoneAreRefused() throws Exception {
    StagingOwner owner = new StagingOwner(ID, 0, 1, 100);
    StagingRequest.Announce good = owner.announce("a", server.identity());

    assertThat(say(exchange, new StagingRequest.Next("b")))
        .isInstanceOf(StagingReply.Refused.class);
    assertThat(say(exchange, owner.announce("b".repeat(65), server.identity())))
        .isInstanceOf(StagingReply.Refused.class);
    assertThat(
            say(
                exchange,
                new StagingRequest.Announce(
                    "c",
                    "an owner",
                    good.store(),
                    good.birth(),
                    ByteBuffer.wrap(new byte[] {1, 2, 3}))))
        .isInstanceOf(StagingReply.Refused.class);
    assertThatThrownBy(() -> exchange.ask(new byte[] {8, 8, 8}).toCompletableFuture().get())
        .hasMessageContaining("400");
    assertThat(server.progress().orders()).isZero();
    assertThat(server.progress().refused()).isEqualTo(3);
  }

  /** Its directory would count as the trace of an epoch above all that follow. */
  @Test
  void anEpochThatNobodyClaimedIsNotWritten() throws IOException {
    CheckpointId forged = Written.id(CheckpointId.MAX_EPOCH, 1);
    StagingOwner owner = new StagingOwner(forged, 0, 1, 100);

    assertThatThrownBy(() -> stage(owner)).hasMessageContaining("was not claimed");
    assertThat(StagingOwner.files(store, forged)).isEmpty();
  }

  @Test
  void anotherBirthOfAGroupIsNotWritten() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 1, 100);
    StagingDialogue other =
        new StagingDialogue(
            StagingOwner.server(server.port(), SECRET),
            owner.part,
            StagingOwner.BIRTH.replace('a', 'f'),
            owner.node,
            () -> false,
            System::nanoTime);

    assertThatThrownBy(() -> other.run("an owner", server.identity()))
        .hasMessageContaining("was not claimed");
    assertThat(StagingOwner.files(store, ID)).isEmpty();
  }

  @Test
  void anOrderThatIsWithdrawnLeavesNothing() throws Exception {
    StagingOwner owner = new StagingOwner(ID, 0, 1, BYTES);
    StagingReply reply = say(exchange, owner.announce("a", server.identity()));
    assertThat(reply).isInstanceOf(StagingReply.Wanted.class);

    say(exchange, new StagingRequest.Withdraw("a"));

    Until.holds(() -> server.progress().failed() == 1);
    assertThat(StagingOwner.files(store, ID)).isEmpty();
    assertThat(server.progress().memoryBytes()).isZero();
  }

  /** Its thread writes a chunk, and waits for no bytes in that moment. */
  @Test
  void anOrderThatIsWithdrawnBetweenTwoWishesIsOver() throws IOException {
    StagingOwner owner = new StagingOwner(ID, 0, 1, BYTES);
    StagedOrder order = new StagedOrder("an owner", owner.part, "birth", Waits.REAL, clock::get);
    String container = owner.part.containers().get(0).file();
    var unused = order.want(ID, container, 0, 8);
    order.bring(1, ByteBuffer.allocate(8));

    order.withdraw("withdrawn");

    assertThatThrownBy(() -> order.want(ID, container, 8, 8)).hasMessageContaining("no more");
    assertThatThrownBy(order::requireOwner).hasMessageContaining("an owner needs");
    order.end(new StagingReply.Refused("withdrawn"));
    assertThat(order.isOver()).isTrue();
  }

  @Test
  void anOwnerThatIsSilentHoldsNoMemory() throws Exception {
    StagingOwner owner = new StagingOwner(ID, 0, 1, BYTES);
    say(exchange, owner.announce("a", server.identity()));
    assertThat(server.progress().memoryBytes()).isPositive();

    clock.addAndGet(Duration.ofSeconds(StagedOrder.SILENT_SECONDS + 1).toNanos());

    Until.holds(() -> server.progress().failed() == 1);
    assertThat(server.progress().memoryBytes()).isZero();
    stage(new StagingOwner(ID, 1, 2, BYTES));
  }

  @Test
  void aServerThatEndsFinishesWhatItWritesAndHandsBackTheRest() throws Exception {
    server.close();
    server = server(1);
    exchange = new HttpExchangeClient(StagingOwner.address(server.port(), SECRET));
    StagingOwner first = new StagingOwner(ID, 0, 3, BYTES);
    StagingOwner second = new StagingOwner(ID, 1, 3, BYTES);
    StagingReply reply = say(exchange, first.announce("a", server.identity()));
    assertThat(reply).isInstanceOf(StagingReply.Wanted.class);
    CompletableFuture<StagingReply> waiting =
        exchange
            .ask(Wire.encode(second.announce("b", server.identity())))
            .thenApply(Wire::decodeStagingReply)
            .toCompletableFuture();
    Until.holds(() -> server.progress().orders() == 2);

    CompletableFuture<Boolean> ended =
        CompletableFuture.supplyAsync(() -> server.end(Duration.ofMinutes(1)));

    assertThat(waiting.get()).as("handed back").isInstanceOf(StagingReply.Refused.class);
    StagingOwner late = new StagingOwner(ID, 2, 3, BYTES);
    assertThat(say(exchange, late.announce("c", server.identity())))
        .isInstanceOf(StagingReply.Refused.class);
    while (reply instanceof StagingReply.Wanted wanted) {
      ByteBuffer bytes = ByteBuffer.allocate(wanted.bytes());
      String path = StoreNames.file(wanted.id(), wanted.container());
      first.node.open(path).readFully(wanted.offset(), bytes);
      reply = say(exchange, new StagingRequest.Bring("a", wanted.number(), bytes.flip()));
    }
    assertThat(reply).as("finished").isInstanceOf(StagingReply.Staged.class);
    assertThat(ended.get()).as("one was handed back").isFalse();
  }
}
