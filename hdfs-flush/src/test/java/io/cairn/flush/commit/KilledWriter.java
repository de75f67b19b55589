package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A process that resumes from the newest checkpoint and writes further ones until it is killed. It
 * prints "ready", and then the directory of each checkpoint that was reported as committed.
 */
final class KilledWriter {
  private static final int CHUNK_BYTES = 1 << 14;

  private KilledWriter() {}

  /** The content of a checkpoint, a function of its id. */
  static SampleRank content(CheckpointId id) {
    SplittableRandom random = new SplittableRandom(id.epoch() * 1_000_003 + id.iteration());
    byte[] content = new byte[random.nextInt(40 * CHUNK_BYTES)];
    random.nextBytes(content);
    return SampleRank.of(0, CHUNK_BYTES, content, new byte[] {1, 2, 3});
  }

  /** Writes until it is killed, into the directory that is the only argument. */
  public static void main(String[] arguments) throws IOException {
    try (CheckpointStore store = LocalStore.open(Path.of(arguments[0]), Durability.PROCESS);
        FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      long epoch = new EpochFiles(store).take(Written.GROUP, 0, "a writer that will be killed");
      Ancestry line = line(store);
      say(out, "ready");
      ContainerWriter writer = new ContainerWriter(CHUNK_BYTES);
      for (long iteration = 0; ; iteration++) {
        CheckpointId id = Written.id(epoch, iteration);
        List<ContainerSummary> container =
            List.of(writer.write(store, id, 1, List.of(content(id).chunks())));
        CommitOutcome outcome =
            new ManifestCommit(store)
                .commit(Written.manifest(id, 1, line, container), StoreNames.MANIFEST);
        if (!outcome.equals(new CommitOutcome.Committed())) {
          throw new IOException(id + ": " + outcome);
        }
        say(out, id.directory());
      }
    }
  }

  private static Ancestry line(CheckpointStore store) throws IOException {
    Map<CheckpointId, Ancestry> found = new TreeMap<>();
    Inventory.list(store, Written.GROUP)
        .checkpoints()
        .forEach((id, stored) -> found.put(id, stored.ancestry()));
    List<CheckpointId> alive = Lineage.alive(found);
    return alive.isEmpty()
        ? Ancestry.NONE
        : found.getOrDefault(alive.get(0), Ancestry.NONE).continuedFrom(alive.get(0));
  }

  /** In one write, so that a kill cannot tear a line. */
  private static void say(FileOutputStream out, String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
