package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.core.cadence.Learned;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates groups whose ranks are all in this process. Most of them are independent ranks, each
 * a group of one. Thread-safe.
 */
public final class LocalCoordination implements Coordination {
  private final Hosts hosts;
  private final Map<String, Consumer<CoordinatorMessage>> inboxes = new ConcurrentHashMap<>();

  /** A coordination whose hosts {@code factory} makes. */
  public LocalCoordination(HostFactory factory) {
    this.hosts = new Hosts(factory);
  }

  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    inboxes.put(incarnation, inbox);
    return new LocalLink(member, incarnation);
  }

  /** The number of groups that are remembered. */
  int groups() {
    return hosts.size();
  }

  private void deliver(int rank, String incarnation, CoordinatorMessage message) {
    Consumer<CoordinatorMessage> inbox = inboxes.get(incarnation);
    if (inbox != null) {
      inbox.accept(message);
    }
  }

  private final class LocalLink implements Link {
    private final Member member;
    private final String incarnation;

    /** Of the join; a rank that left reports to it, even if a later one serves its group. */
    private volatile @Nullable GroupHost host;

    LocalLink(Member member, String incarnation) {
      this.member = member;
      this.incarnation = incarnation;
    }

    @Override
    public void send(MemberMessage message) {
      GroupHost known = host;
      if (message instanceof MemberMessage.Join join) {
        host = hosts.join(member.group(), member.size(), LocalCoordination.this::deliver, join);
      } else if (known != null) {
        known.on(message);
      } else {
        throw new IllegalStateException(member + " sent " + message + " before its join");
      }
    }

    @Override
    public Optional<Learned> learned() {
      GroupHost known = host;
      return known == null ? Optional.empty() : known.learned();
    }

    @Override
    public void recall(Learned learned, CheckpointId from, boolean ended) {
      GroupHost known = host;
      if (known != null) {
        known.on(new CoordinatorEvent.Recalled(learned, from, ended));
      }
    }

    @Override
    public void close() {
      inboxes.remove(incarnation);
    }
  }
}
