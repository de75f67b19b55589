/** Tests of events and their observers. */
@NullMarked
package io.cairn.engine.events;

import org.jspecify.annotations.NullMarked;
