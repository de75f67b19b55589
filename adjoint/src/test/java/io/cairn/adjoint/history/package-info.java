@NullMarked
package io.cairn.adjoint.history;

import org.jspecify.annotations.NullMarked;
