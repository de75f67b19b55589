@NullMarked
package io.cairn.examples.wave;

import org.jspecify.annotations.NullMarked;
