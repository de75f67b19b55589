package io.cairn.engine.promotion;

import io.cairn.Level;
import io.cairn.flush.pipeline.Stage;

/**
 * The step that brings checkpoints to one level.
 *
 * @param level where it writes
 * @param readsFrom the level whose copy it reads; where that level has none, the step reads what
 *     that level would have read, and DEVICE in the end
 * @param stage runs the writes and deletes of this level
 * @param writer carries them out
 */
public record PromotionStep(Level level, Level readsFrom, Stage stage, LevelWriter writer) {}
