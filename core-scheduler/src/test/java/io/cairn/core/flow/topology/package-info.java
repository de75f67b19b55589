/** Tests of presets and of what real machines print about their links. */
@NullMarked
package io.cairn.core.flow.topology;

import org.jspecify.annotations.NullMarked;
