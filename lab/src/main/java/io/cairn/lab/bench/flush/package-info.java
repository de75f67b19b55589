/**
 * {@code cairn-lab bench flush}: a capture beside a plain copy, and the way down to NODE and STORE
 * and back beside bare loops over the same bytes. The fixed cost of small captures is measured in
 * {@link io.cairn.lab.bench.small}, a training in {@link io.cairn.lab.bench.listener}.
 */
@NullMarked
package io.cairn.lab.bench.flush;

import org.jspecify.annotations.NullMarked;
