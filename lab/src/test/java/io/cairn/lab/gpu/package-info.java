@NullMarked
package io.cairn.lab.gpu;

import org.jspecify.annotations.NullMarked;
