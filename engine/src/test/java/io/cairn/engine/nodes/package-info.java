@NullMarked
package io.cairn.engine.nodes;

import org.jspecify.annotations.NullMarked;
