@NullMarked
package io.cairn.lab.cluster;

import org.jspecify.annotations.NullMarked;
