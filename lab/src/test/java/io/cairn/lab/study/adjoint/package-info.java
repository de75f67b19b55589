@NullMarked
package io.cairn.lab.study.adjoint;

import org.jspecify.annotations.NullMarked;
