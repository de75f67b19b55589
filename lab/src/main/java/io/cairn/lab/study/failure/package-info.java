/**
 * Failures and what they cost: sources of failures, and a Monte-Carlo simulator of checkpoint
 * patterns under them. The simulator walks a timeline event by event and knows no formula; the
 * solvers of {@code io.cairn.core.pattern} know formulas and walk no timeline. Each checks the
 * other, so neither sees the other's code.
 */
@NullMarked
package io.cairn.lab.study.failure;

import org.jspecify.annotations.NullMarked;
