/** Tests of the desk and of its picture of links. */
@NullMarked
package io.cairn.engine.sharing.desk;

import org.jspecify.annotations.NullMarked;
