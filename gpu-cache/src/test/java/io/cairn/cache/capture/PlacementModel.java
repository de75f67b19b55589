package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.capture.PlacementNode.Borrowing;
import io.cairn.cache.capture.PlacementNode.Entry;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.PlacedChunk;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Several processes whose checkpoints do not fit at home, and what must hold after each of a random
 * sequence of captures, lendings, reads, pins, moves, withdrawals and returns.
 */
final class PlacementModel {
  private static final int MAX_CHUNKS = 16;

  private final List<PlacementNode> nodes;
  private final Random random;
  private final ByteBuffer staging = ByteBuffer.allocateDirect(PlacementNode.CHUNK_BYTES);
  private final List<Borrowing> borrowings = new ArrayList<>();
  private long iteration;
  private int moved;
  private int spread;
  private int shrunk;

  PlacementModel(List<PlacementNode> nodes, long seed) throws IOException {
    this.nodes = nodes;
    this.random = new Random(seed);
    for (PlacementNode node : nodes) {
      for (PlacementNode peer : nodes) {
        if (peer != node) {
          node.meet(peer);
        }
      }
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Does one random operation and returns its name. */
  String step() throws Exception {
    PlacementNode node = any(nodes);
    int choice = random.nextInt(node.isInSlabs() ? 13 : 12);
    List<Borrowing> returnable =
        borrowings.stream().filter(one -> one.givenBack == 1 && !one.takenBack).toList();
    if (choice == 12) {
      return shrink(node);
    }
    if (choice < 3 && !returnable.isEmpty()) {
      return takeBack(any(returnable));
    }
    List<Entry> live = node.entries.stream().filter(one -> !one.gone).toList();
    if (choice < 6 || live.isEmpty()) {
      return capture(node);
    }
    Entry entry = any(live);
    if (choice < 7) {
      entry.pins.add(entry.checkpoint.pin().orElseThrow());
      return "pin " + entry.checkpoint;
    }
    if (choice < 9 && !entry.pins.isEmpty()) {
      entry.pins.remove(0).close();
      return "unpin " + entry.checkpoint;
    }
    if (choice < 10 && !entry.borrowings.isEmpty()) {
      return move(entry, any(entry.borrowings));
    }
    if (choice < 11) {
      entry.verify();
      return "verify " + entry.checkpoint;
    }
    entry.gone = true;
    entry.checkpoint.discard();
    return "discard " + entry.checkpoint;
  }

  /** Seals a checkpoint at a level, lets a slab leave, and peers close what is given up. */
  private String shrink(PlacementNode node) {
    Level level = random.nextBoolean() ? Level.NODE : Level.DEVICE;
    node.entries.stream()
        .skip(random.nextInt(node.entries.size() + 1))
        .findFirst()
        .ifPresent(entry -> node.cache.sealed(entry.checkpoint.id(), level));
    if (random.nextInt(4) == 0) {
      shrunk += node.cache.shrinking().begin() > 0 ? 1 : 0;
    }
    node.cache.shrinking().vacate();
    nodes.forEach(PlacementNode::closeGivenUp);
    return "shrinking of " + node.group;
  }

  private String capture(PlacementNode node) throws Exception {
    List<byte[]> content = content();
    ProtectedRegions regions = new ProtectedRegions(node.device, PlacementNode.CHUNK_BYTES);
    for (int region = 0; region < content.size(); region++) {
      regions.protect(region("r" + region, content.get(region)));
    }
    Snapshot snapshot = regions.snapshot();
    CheckpointId id = new CheckpointId(node.group, 1, iteration++);
    long before = node.counter.bytesToDevice();
    CachedCheckpoint checkpoint = node.cache.reservePart(id, 0, snapshot.chunks());
    Capture capture = snapshot.copyInto(checkpoint);
    List<Borrowing> borrowed = place(node, checkpoint, capture);
    if (capture.resume() > 0) {
      capture.abandon();
      checkpoint.discard();
      assertThat(borrowed).allMatch(one -> one.givenBack == 1, "given back");
      return "capture of " + checkpoint + " without room";
    }
    checkpoint.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    assertThat(node.counter.bytesToDevice() - before)
        .as("bytes that the capture copied")
        .isEqualTo(snapshot.bytes());
    Entry entry = new Entry(checkpoint, content, borrowed);
    node.entries.add(entry);
    for (Borrowing one : borrowed) {
      hold(entry, one);
    }
    spread += borrowed.size() > 1 ? 1 : 0;
    return "capture of " + checkpoint;
  }

  /** An array, or spans of it that are gathered. */
  private Region region(String name, byte[] content) {
    if (random.nextBoolean()) {
      return Region.of(name, content);
    }
    List<ByteBuffer> spans = new ArrayList<>();
    int longest = 1 + random.nextInt(2 * PlacementNode.CHUNK_BYTES);
    for (int start = 0; start < content.length; ) {
      int length = Math.min(random.nextInt(longest + 1), content.length - start);
      spans.add(ByteBuffer.wrap(content, start, length).slice());
      start += length;
    }
    return Region.gather(name, spans);
  }

  private List<byte[]> content() {
    List<byte[]> content = new ArrayList<>();
    int chunks = random.nextInt(MAX_CHUNKS);
    for (int region = 0; region < 3; region++) {
      int part = region == 2 ? chunks : random.nextInt(chunks + 1);
      byte[] bytes = new byte[Math.max(0, part * PlacementNode.CHUNK_BYTES - random.nextInt(3))];
      random.nextBytes(bytes);
      content.add(bytes);
      chunks -= part;
    }
    return content;
  }

  /** Finds places for what does not fit at home, in a random order. */
  private List<Borrowing> place(PlacementNode node, CachedCheckpoint checkpoint, Capture capture) {
    List<Borrowing> borrowed = new ArrayList<>();
    for (int attempt = 0; attempt < 8; attempt++) {
      int missing = checkpoint.chunks() - checkpoint.placed();
      if (missing == 0) {
        break;
      }
      int wanted = 1 + random.nextInt(missing);
      PlacementNode lender = any(nodes);
      if (lender == node) {
        assertThat(checkpoint.addHost(wanted)).isLessThanOrEqualTo(wanted);
      } else {
        int[] slots = lend(lender, wanted);
        if (slots.length > 0) {
          Borrowing one = new Borrowing(node, lender, slots);
          borrowed.add(one);
          checkpoint.add(one.leased);
        }
      }
      if (random.nextBoolean()) {
        capture.resume();
      }
    }
    borrowings.addAll(borrowed);
    return borrowed;
  }

  private static int[] lend(PlacementNode lender, int wanted) {
    int spare = lender.cache.lentSlots().spare();
    Optional<CachedCheckpoint> newest = lender.cache.of(lender.group, 0).stream().findFirst();
    int[] slots = lender.cache.lentSlots().lend(wanted);
    assertThat(slots.length).isEqualTo(Math.min(wanted, spare));
    assertThat(lender.cache.of(lender.group, 0).stream().findFirst()).isEqualTo(newest);
    return slots;
  }

  private void hold(Entry entry, Borrowing one) throws IOException {
    CachedCheckpoint checkpoint = entry.checkpoint;
    List<PlacedChunk> chunks = checkpoint.in(one.leased);
    assertThat(chunks).hasSize(one.slots.length);
    if (!one.verified) {
      one.verified = true;
      verifyAtLender(entry, one, chunks);
    }
  }

  /** The lender finds in each slot what the borrower says that it wrote there. */
  private static void verifyAtLender(Entry entry, Borrowing one, List<PlacedChunk> chunks)
      throws IOException {
    for (PlacedChunk chunk : chunks) {
      byte[] found = new byte[chunk.bytes()];
      Place place = one.lender.cache.lentSlots().place(chunk.slot());
      place
          .engine()
          .copyToHostAsync(place.address().slice(0, found.length), ByteBuffer.wrap(found))
          .awaitLanding();
      assertThat(found).isEqualTo(entry.expected(chunk.region(), chunk.chunk(), chunk.bytes()));
      CRC32C crc = new CRC32C();
      crc.update(found);
      assertThat((int) crc.getValue()).isEqualTo(chunk.checksum());
    }
  }

  private String move(Entry entry, Borrowing one) throws IOException {
    if (entry.checkpoint.moveToHost(one.leased, staging)) {
      moved++;
      assertThat(one.givenBack).as("no reader is in the middle of it").isEqualTo(1);
    }
    entry.verify();
    return "move of " + entry.checkpoint;
  }

  private static String takeBack(Borrowing one) {
    one.lender.cache.lentSlots().takeBack(one.slots);
    one.takenBack = true;
    return "take back " + one.slots.length + " slots";
  }

  /** No slot has two owners, none is lost, and pinned chunks are unchanged. */
  void check() throws IOException {
    for (PlacementNode node : nodes) {
      Set<Object> taken = new HashSet<>();
      for (Entry entry : held(node)) {
        for (int chunk = 0; chunk < entry.checkpoint.chunks(); chunk++) {
          assertThat(taken.add(entry.checkpoint.place(chunk))).as("its place alone").isTrue();
        }
        if (!entry.gone && !entry.pins.isEmpty()) {
          entry.verify();
        }
      }
      int lent = 0;
      Set<Integer> away = new HashSet<>();
      for (Borrowing one : borrowings) {
        if (one.lender == node && !one.takenBack) {
          for (int slot : one.slots) {
            assertThat(away.add(slot)).as("slot %d is lent once", slot).isTrue();
            assertThat(taken).doesNotContain(node.cache.lentSlots().place(slot));
            lent++;
          }
        }
      }
      int borrowed =
          held(node).stream()
              .flatMap(entry -> entry.borrowings.stream())
              .filter(one -> one.givenBack == 0)
              .mapToInt(one -> one.slots.length)
              .sum();
      int atHost = node.cache.hostSlots() - node.cache.freeHostSlots();
      assertThat(node.cache.lentSlots().count()).isEqualTo(lent);
      int slots = node.cache.freeSlots() + lent + taken.size() - borrowed - atHost;
      if (node.cache.shrinking().isUnderWay()) {
        assertThat(slots).as("slots").isGreaterThan(node.cache.slots());
      } else {
        assertThat(slots).as("slots").isEqualTo(node.cache.slots());
      }
    }
  }

  /** Those that have their places. */
  private static List<Entry> held(PlacementNode node) {
    return node.entries.stream().filter(one -> !one.gone || !one.pins.isEmpty()).toList();
  }

  /** How often what makes this worth its time happened. */
  int moved() {
    return moved;
  }

  int spread() {
    return spread;
  }

  int shrunk() {
    return shrunk;
  }

  /** Ends everything; every slot must be home then. */
  void end() throws IOException {
    Stream<Entry> entries = nodes.stream().flatMap(node -> node.entries.stream());
    for (Entry entry : entries.toList()) {
      entry.checkpoint.discard();
      entry.pins.forEach(Pin::close);
    }
    assertThat(borrowings).allMatch(one -> one.givenBack == 1, "given back once");
    borrowings.stream().filter(one -> !one.takenBack).forEach(PlacementModel::takeBack);
    for (PlacementNode node : nodes) {
      assertThat(node.cache.shrinking().isUnderWay()).isFalse();
      assertThat(node.cache.freeSlots()).isEqualTo(node.cache.slots());
      assertThat(node.cache.freeHostSlots()).isEqualTo(PlacementNode.HOST_SLOTS);
      node.cache.close();
      node.device.free(node.device.allocate(node.slabBytes()));
    }
  }
}
