package io.cairn.core.protocol;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.Commit.Event;
import io.cairn.core.protocol.SimulatedFiles.Content;
import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out one commit's actions on the simulated store, and hands it the answers. */
final class SimulatedCommit {
  private final SimulatedProcess process;
  private final Rules rules;
  private final boolean byLink;
  private final Content.Manifest content;
  private final String temporary;
  private final String published;
  private final Consumer<CommitOutcome> then;
  private Commit commit;

  private SimulatedCommit(
      SimulatedProcess process,
      Rules rules,
      boolean byLink,
      Content.Manifest content,
      Consumer<CommitOutcome> then) {
    CheckpointManifest manifest = content.manifest();
    this.process = process;
    this.rules = rules;
    this.byLink = byLink;
    this.content = content;
    this.temporary = Paths.temporary(manifest.id(), manifest.nonce());
    this.published = Paths.manifest(manifest.id());
    this.then = then;
    this.commit = Commit.of(content.digest());
  }

  /** Commits; calls {@code then} once with the outcome. */
  static void start(
      SimulatedProcess process,
      Rules rules,
      boolean byLink,
      Content.Manifest content,
      Consumer<CommitOutcome> then) {
    new SimulatedCommit(process, rules, byLink, content, then).on(new Event.Begin());
  }

  private void on(Event event) {
    Commit.Step step = rules.commit(commit, event);
    commit = step.next();
    commit.outcome().ifPresent(then);
    step.actions().forEach(this::carryOut);
  }

  private void carryOut(Commit.Action action) {
    switch (action) {
      case WRITE -> process.write(temporary, content, reply -> on(written(reply)));
      case PUBLISH -> publish();
      case READ -> process.read(published, reply -> on(read(reply)));
      case DELETE -> process.delete(temporary, reply -> on(deleted(reply)));
    }
  }

  private void publish() {
    Consumer<Reply> answer = reply -> on(published(reply));
    if (byLink) {
      process.linkAndUnlink(temporary, published, answer);
    } else {
      process.rename(temporary, published, answer);
    }
  }

  private static Event written(Reply reply) {
    return reply instanceof Reply.Done ? new Event.Written() : lost(reply);
  }

  private static Event published(Reply reply) {
    if (reply instanceof Reply.Done) {
      return new Event.Published();
    }
    return reply instanceof Reply.Exists ? new Event.Exists() : lost(reply);
  }

  private static Event read(Reply reply) {
    if (reply instanceof Reply.Missing) {
      return new Event.Read(Optional.empty());
    } else if (reply instanceof Reply.Found found
        && found.content() instanceof Content.Manifest manifest) {
      return new Event.Read(Optional.of(manifest.digest()));
    }
    return lost(reply);
  }

  private static Event deleted(Reply reply) {
    if (reply instanceof Reply.Done) {
      return new Event.Deleted();
    }
    return reply instanceof Reply.Missing ? new Event.Missing() : lost(reply);
  }

  private static Event lost(Reply reply) {
    return new Event.Lost(
        reply instanceof Reply.Lost lost ? lost.reason() : reply.getClass().getSimpleName());
  }
}
