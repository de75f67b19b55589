package io.cairn.engine.coordination;

import io.cairn.core.model.GroupId;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Coordinates groups whose ranks are all in this process. Most of them are independent ranks, each
 * a group of one. Thread-safe.
 */
public final class LocalCoordination implements Coordination {
  private final HostFactory factory;
  private final Map<GroupId, GroupHost> hosts = new ConcurrentHashMap<>();
  private final Map<String, Consumer<CoordinatorMessage>> inboxes = new ConcurrentHashMap<>();

  /** A coordination whose hosts {@code factory} makes. */
  public LocalCoordination(HostFactory factory) {
    this.factory = factory;
  }

  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    inboxes.put(incarnation, inbox);
    GroupHost host =
        hosts.computeIfAbsent(
            member.group(), group -> factory.host(group, member.size(), this::deliver));
    return new LocalLink(host, incarnation);
  }

  private void deliver(int rank, String incarnation, CoordinatorMessage message) {
    Consumer<CoordinatorMessage> inbox = inboxes.get(incarnation);
    if (inbox != null) {
      inbox.accept(message);
    }
  }

  private final class LocalLink implements Link {
    private final GroupHost host;
    private final String incarnation;

    LocalLink(GroupHost host, String incarnation) {
      this.host = host;
      this.incarnation = incarnation;
    }

    @Override
    public void send(MemberMessage message) {
      host.on(message);
    }

    @Override
    public void close() {
      inboxes.remove(incarnation);
    }
  }
}
