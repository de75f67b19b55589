/** {@code cairn-lab bench codec}: how much shorter chunks become, and how fast. */
@NullMarked
package io.cairn.lab.bench.codec;

import org.jspecify.annotations.NullMarked;
