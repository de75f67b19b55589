/** Tests of the levels below DEVICE, without a device or a coordinator. */
@NullMarked
package io.cairn.engine.promotion;

import org.jspecify.annotations.NullMarked;
