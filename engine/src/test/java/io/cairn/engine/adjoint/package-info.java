@NullMarked
package io.cairn.engine.adjoint;

import org.jspecify.annotations.NullMarked;
