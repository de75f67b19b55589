package io.cairn.training;

import io.cairn.CheckpointId;
import io.cairn.Level;
import java.time.Duration;

/**
 * A roll-back by a {@link TroubleGuard}.
 *
 * @param iteration the troubled one
 * @param loss its loss
 * @param restored the checkpoint that the training went on from
 * @param level the farthest level that the checkpoint was read from
 * @param took from the discovery until the training went on, a new iterator included
 * @param remedy what the training does otherwise from then on, for people; empty if nothing
 */
public record RollBack(
    long iteration,
    double loss,
    CheckpointId restored,
    Level level,
    Duration took,
    String remedy) {}
