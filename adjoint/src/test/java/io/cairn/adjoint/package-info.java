@NullMarked
package io.cairn.adjoint;

import org.jspecify.annotations.NullMarked;
