@NullMarked
package io.cairn.lab.bench.listener;

import org.jspecify.annotations.NullMarked;
