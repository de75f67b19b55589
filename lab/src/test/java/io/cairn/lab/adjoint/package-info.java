@NullMarked
package io.cairn.lab.adjoint;

import org.jspecify.annotations.NullMarked;
