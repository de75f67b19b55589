/**
 * {@code cairn bench small}: the fixed cost of a capture, which a small model feels more than its
 * bytes. Costs of large states belong to {@code bench listener}.
 */
@NullMarked
package io.cairn.lab.bench.small;

import org.jspecify.annotations.NullMarked;
