package io.cairn.core.model;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.internal.PathSegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The sole proof of commit. At STORE one manifest covers the group. At NODE each rank publishes a
 * part of its own; the checkpoint is sealed there when the existing parts cover the group, which
 * any reader can recompute.
 *
 * @param id the checkpoint
 * @param size ranks of the group
 * @param parent the previous checkpoint of its line, with the digest of its manifest
 * @param ancestry of its epoch
 * @param nonce makes the manifest unique, so that an attempt to commit it recognises it
 * @param containers at least one
 */
public record CheckpointManifest(
    CheckpointId id,
    int size,
    Optional<Parent> parent,
    Ancestry ancestry,
    String nonce,
    List<ContainerSummary> containers) {

  /** The checkpoint that this one follows. */
  public record Parent(CheckpointId id, Digest manifestDigest) {}

  /**
   * Checks that containers exist, that ranks are within the group, and no file appears twice. A
   * holder belongs to an older checkpoint, so no chain of references returns to its start.
   */
  public CheckpointManifest {
    PathSegment.require("nonce", nonce);
    containers = List.copyOf(containers);
    Set<String> files = new TreeSet<>();
    for (ContainerSummary container : containers) {
      if (!files.add(container.file())) {
        throw new IllegalArgumentException(
            "manifest of " + id + ": container " + container.file() + " is listed twice");
      }
      for (Holder holder : container.holders()) {
        if (holder.in(id.group()).compareTo(id) >= 0) {
          throw new IllegalArgumentException(
              "manifest of " + id + ": holder " + holder + " is not of an older checkpoint");
        }
      }
      for (int rank : container.ranks()) {
        if (rank < 0 || rank >= size) {
          throw new IllegalArgumentException(
              "manifest of " + id + ": rank " + rank + " is out of range");
        }
      }
    }
    if (containers.isEmpty()) {
      throw new IllegalArgumentException("manifest of " + id + " lists no container");
    }
  }

  /** The ranks whose data it covers, rising. */
  public Set<Integer> ranks() {
    Set<Integer> ranks = new TreeSet<>();
    containers.forEach(container -> ranks.addAll(container.ranks()));
    return ranks;
  }

  /** Whether it covers the whole group. */
  public boolean coversGroup() {
    return ranks().size() == size;
  }

  /** The containers that together hold a rank's chunks; none if it is not covered. */
  public List<ContainerSummary> containersOf(int rank) {
    return containers.stream().filter(container -> container.ranks().contains(rank)).toList();
  }

  /** The containers of older checkpoints that hold chunks of this one. */
  public Set<Holder> holders() {
    return containers.stream()
        .flatMap(container -> container.holders().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The older checkpoints whose directories have containers that this one leans on. */
  public Set<CheckpointId> leansOn() {
    return holders().stream().map(holder -> holder.in(id.group())).collect(Collectors.toSet());
  }

  /** The program that wrote a rank's data; empty if that is not known. */
  public Fingerprint fingerprintOf(int rank) {
    return ContainerSummary.program(containersOf(rank));
  }

  /**
   * The same manifest for attempts to commit it.
   *
   * @param nonce by which the attempts recognise their manifest
   * @param now becomes the time of the seal; left out if it is not known which program wrote rank 0
   */
  public CheckpointManifest attempt(String nonce, Instant now) {
    CheckpointFacts time = new CheckpointFacts(OptionalDouble.empty(), Optional.of(now));
    List<ContainerSummary> timed = new ArrayList<>(containers);
    timed.replaceAll(
        container -> {
          boolean known = container.ranks().contains(0) && !container.fingerprint().isEmpty();
          return known ? container.writtenBy(time.addedTo(container.fingerprint())) : container;
        });
    return new CheckpointManifest(id, size, parent, ancestry, nonce, timed);
  }

  /** Bytes of all containers. */
  public long bytes() {
    return containers.stream().mapToLong(ContainerSummary::bytes).sum();
  }
}
