/**
 * {@code cairn-lab bench small}: what checkpoints cost trainings of few bytes and short iterations,
 * which feel the bookkeeping of a capture more than its bytes. Costs of large states belong to
 * {@code bench listener}.
 */
@NullMarked
package io.cairn.lab.bench.small;

import org.jspecify.annotations.NullMarked;
