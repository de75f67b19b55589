/** Tests of messages between processes and of the registry of peers. */
@NullMarked
package io.cairn.engine.sharing.peer;

import org.jspecify.annotations.NullMarked;
