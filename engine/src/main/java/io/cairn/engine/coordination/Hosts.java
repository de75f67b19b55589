package io.cairn.engine.coordination;

import io.cairn.GroupId;
import io.cairn.core.protocol.MemberMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The hosts of groups. The first join of a group makes its host; joins of later groups forget the
 * hosts that are over. Thread-safe.
 */
final class Hosts {
  /** How long ranks that left may still report checkpoints that they flush. */
  private static final long SILENT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final HostFactory factory;
  private final Map<GroupId, GroupHost> hosts = new HashMap<>();

  /** No hosts yet; {@code factory} makes them. */
  Hosts(HostFactory factory) {
    this.factory = factory;
  }

  /** Delivers a join; returns the host of the group, which is a new one if there was none. */
  synchronized GroupHost join(
      GroupId group, int size, GroupHost.Outbox outbox, MemberMessage.Join join) {
    hosts.values().removeIf(host -> host.isOver(SILENT_NANOS));
    GroupHost host = hosts.computeIfAbsent(group, unknown -> factory.host(unknown, size, outbox));
    // under the lock: a host that was found must not be forgotten before it has the join
    host.on(join);
    return host;
  }

  /** The host of a group of which a rank joined. */
  synchronized Optional<GroupHost> find(GroupId group) {
    return Optional.ofNullable(hosts.get(group));
  }

  synchronized int size() {
    return hosts.size();
  }
}
