package io.cairn.engine.coordination;

import io.cairn.GroupId;

/** Makes the host of a group. */
@FunctionalInterface
public interface HostFactory {
  /** A new host for {@code size} ranks, which sends through {@code outbox}. */
  GroupHost host(GroupId group, int size, GroupHost.Outbox outbox);
}
