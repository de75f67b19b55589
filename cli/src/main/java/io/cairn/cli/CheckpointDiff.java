package io.cairn.cli;

import java.util.List;

/**
 * The differences of two checkpoints of a group.
 *
 * @param equal whether all of both was read and is the same
 * @param regions of ranks that both have, by rank, in the order of the first checkpoint
 * @param onlyInA regions, and ranks, that the second one lacks
 * @param onlyInB regions, and ranks, that the first one lacks
 * @param damage whatever could not be read, with its place
 */
record CheckpointDiff(
    String store,
    String group,
    String a,
    String b,
    boolean equal,
    List<RegionDiff> regions,
    List<String> onlyInA,
    List<String> onlyInB,
    List<String> damage) {}
