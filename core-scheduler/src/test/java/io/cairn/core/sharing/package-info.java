/** Tests of leases and plans, among them a simulation of holders that share and fail. */
@NullMarked
package io.cairn.core.sharing;

import org.jspecify.annotations.NullMarked;
