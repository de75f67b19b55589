/**
 * The program of the GPU kit: it runs on a machine that has a GPU and nothing else of Cairn. Each
 * part runs in a process of its own, whose output is its findings, so that a driver that ends or
 * hangs one part leaves the others alone.
 */
@NullMarked
package io.cairn.lab.gpu.kit;

import org.jspecify.annotations.NullMarked;
