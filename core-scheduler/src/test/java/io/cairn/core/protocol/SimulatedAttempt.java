package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.Rules.Mutation;
import io.cairn.core.protocol.SimulatedFiles.Content;
import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One attempt at training a group of one: takes an epoch, resumes from the newest checkpoint, and
 * then writes checkpoints, commits, reports and sweeps until it dies or is fenced.
 */
final class SimulatedAttempt {
  private static final int LOOKS = 20;
  private static final int MAX_NEEDS = 4;
  private static final Digest INDEX = Digest.of("index".getBytes(UTF_8));

  private final SimulatedProcess process;
  private final Rules rules;
  private final Truth truth;
  private final Random random;
  private final boolean byLink;
  private Truth.Snapshot since;
  private EpochClaim claim = EpochClaim.begin();
  private long epoch;
  private long iteration;
  private Ancestry ancestry = Ancestry.NONE;
  private int looks;

  /** Containers that the last committed checkpoint of this attempt consists of and needs. */
  private List<String> last = List.of();

  /** Those of it that the checkpoint under way needs. */
  private List<String> needs = List.of();

  SimulatedAttempt(
      SimulatedProcess process, Rules rules, Truth truth, Random random, boolean byLink) {
    this.process = process;
    this.rules = rules;
    this.truth = truth;
    this.random = random;
    this.byLink = byLink;
    this.since = truth.snapshot();
  }

  void start() {
    process.note("starts");
    claim();
  }

  private void claim() {
    if (claim.state() instanceof EpochClaim.State.Listing) {
      process.list(Paths.EPOCHS, reply -> claimed(listed(reply)));
    } else if (claim.state() instanceof EpochClaim.State.Creating creating) {
      process.write(
          Paths.epoch(creating.epoch()),
          new Content.Owner(process.name),
          reply -> claimed(created(reply)));
    } else if (claim.state() instanceof EpochClaim.State.Taken taken) {
      epoch = taken.epoch();
      process.note("takes epoch " + epoch);
      truth.taken(epoch, process.name);
      look();
    } else {
      process.die(claim.state().toString());
    }
  }

  private void claimed(EpochClaim.Event event) {
    claim = rules.claim(claim, event);
    claim();
  }

  private static EpochClaim.Event listed(Reply reply) {
    return reply instanceof Reply.Names names
        ? new EpochClaim.Event.Listed(Paths.highestEpoch(names.names()))
        : new EpochClaim.Event.Lost(reply.toString());
  }

  private static EpochClaim.Event created(Reply reply) {
    if (reply instanceof Reply.Done) {
      return new EpochClaim.Event.Created();
    }
    return reply instanceof Reply.Exists
        ? new EpochClaim.Event.Exists()
        : new EpochClaim.Event.Lost(reply.toString());
  }

  private void look() {
    if (++looks > LOOKS) {
      process.die("could not find a checkpoint to resume from");
      return;
    }
    since = truth.snapshot();
    SimulatedScan.start(process, rules, this::found);
  }

  private void found(Optional<SimulatedScan.Found> found) {
    if (found.isEmpty()) {
      process.after(20, this::look);
    } else if (found.get().highestEpoch() > epoch) {
      fenced();
    } else {
      tryNext(rules.alive(found.get().ancestries()), found.get());
    }
  }

  private void tryNext(List<CheckpointId> candidates, SimulatedScan.Found found) {
    if (candidates.isEmpty()) {
      resume(Optional.empty(), Ancestry.NONE);
      return;
    }
    CheckpointId id = candidates.get(0);
    CheckpointManifest manifest = Optional.ofNullable(found.manifests().get(id)).orElseThrow();
    verify(
        manifest.containers().stream().map(c -> id.directory() + "/" + c.file()).toList(),
        () -> resume(Optional.of(id), rules.continued(manifest.ancestry(), id)),
        () -> refused(id, candidates.subList(1, candidates.size()), found));
  }

  /** All files of a checkpoint, and those that it needs, must exist; an error proves nothing. */
  private void verify(List<String> left, Runnable whole, Runnable refused) {
    if (left.isEmpty()) {
      whole.run();
      return;
    }
    process.read(
        left.get(0),
        reply -> {
          if (reply instanceof Reply.Found found
              && found.content() instanceof Content.Container container) {
            List<String> next = new ArrayList<>(left.subList(1, left.size()));
            container.needs().stream().filter(need -> !next.contains(need)).forEach(next::add);
            verify(next, whole, refused);
          } else if (reply instanceof Reply.Lost
              && !rules.breaks(Mutation.UNREACHABLE_IS_REFUSED)) {
            look();
          } else {
            refused.run();
          }
        });
  }

  /** An attempt that deletes it has published newer ones, which are to be found, not older ones. */
  private void refused(CheckpointId id, List<CheckpointId> others, SimulatedScan.Found found) {
    process.read(
        Paths.manifest(id),
        reply -> {
          if (reply instanceof Reply.Found || rules.breaks(Mutation.FALLS_BACK_AT_ONCE)) {
            tryNext(others, found);
          } else {
            truth.count("looked again");
            look();
          }
        });
  }

  private void resume(Optional<CheckpointId> base, Ancestry line) {
    process.note("resumes from " + base.map(CheckpointId::label).orElse("nothing"));
    truth.resumed(epoch, base, since);
    iteration = base.map(CheckpointId::iteration).orElse(-1L);
    ancestry = line;
    if (rules.breaks(Mutation.NEEDS_ACROSS_EPOCHS) && base.isPresent()) {
      last = List.of(Paths.container(base.get(), 0));
    }
    train();
  }

  private void train() {
    process.after(20 + random.nextLong(120), this::checkpoint);
  }

  private void checkpoint() {
    iteration += 1 + random.nextLong(3);
    CheckpointId id = new CheckpointId(Paths.GROUP, epoch, iteration);
    truth.begun(id);
    int size = 1 + random.nextInt(2);
    needs = last.size() <= MAX_NEEDS && random.nextInt(3) > 0 ? last : List.of();
    write(id, 0, size);
  }

  private void write(CheckpointId id, int rank, int size) {
    if (rank == size) {
      commit(id, size);
      return;
    }
    process.write(
        Paths.container(id, rank),
        new Content.Container(needs),
        reply -> {
          if (reply instanceof Reply.Done) {
            write(id, rank + 1, size);
          } else {
            train();
          }
        });
  }

  private void commit(CheckpointId id, int size) {
    String nonce = "n" + random.nextInt(1_000_000_000);
    List<ContainerSummary> containers =
        IntStream.range(0, size)
            .mapToObj(r -> new ContainerSummary("writer-" + r + ".chunks", 1, INDEX, List.of(r)))
            .toList();
    CheckpointManifest manifest =
        new CheckpointManifest(id, size, Optional.empty(), ancestry, nonce, containers);
    Digest digest = Digest.of(manifest.toString().getBytes(UTF_8));
    Content.Manifest content = new Content.Manifest(manifest, digest);
    SimulatedCommit.start(
        process, rules, byLink, content, outcome -> committed(id, digest, size, outcome));
  }

  private void committed(CheckpointId id, Digest digest, int size, CommitOutcome outcome) {
    process.note("commit of " + id.label() + ": " + outcome);
    truth.ended(id, digest, outcome);
    if (outcome instanceof CommitOutcome.Committed) {
      last = new ArrayList<>(needs);
      IntStream.range(0, size).mapToObj(rank -> Paths.container(id, rank)).forEach(last::add);
      report(id);
    } else if (outcome instanceof CommitOutcome.Failed
        || rules.breaks(Mutation.CLEANS_UP_AFTER_UNKNOWN)) {
      truth.cleansUp(id);
      cleanUp(id, size - 1);
    } else {
      train();
    }
  }

  private void cleanUp(CheckpointId id, int rank) {
    if (rank < 0) {
      train();
    } else {
      process.delete(Paths.container(id, rank), reply -> cleanUp(id, rank - 1));
    }
  }

  /** Once a newer epoch was taken, its attempt may not have seen this checkpoint. */
  private void report(CheckpointId id) {
    if (rules.breaks(Mutation.REPORTS_WITHOUT_ASKING)) {
      sealed(id);
      return;
    }
    process.list(
        Paths.EPOCHS,
        reply -> {
          if (!(reply instanceof Reply.Names names)) {
            train();
          } else if (Paths.highestEpoch(names.names()) > epoch) {
            fenced();
          } else {
            sealed(id);
          }
        });
  }

  private void sealed(CheckpointId id) {
    process.note("reports " + id.label() + " as sealed");
    truth.reported(id);
    SimulatedSweep.start(process, rules, epoch, this::train);
  }

  private void fenced() {
    truth.count("fenced");
    process.die("fenced");
  }
}
