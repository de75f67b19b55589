/**
 * The model by which a cadence is chosen: the expected time of a checkpoint pattern whose
 * checkpoints are flushed while the application computes. Every class is a pure function of rates
 * (failures per second) and times (seconds).
 *
 * <p>Measurement and the choice of periods live in {@code io.cairn.core.cadence}. Models that only
 * studies use, and the simulator that checks all models, live in the module {@code lab}.
 *
 * <p>Internal: free to change.
 *
 * <h2>The expected time of a pattern with flushes</h2>
 *
 * <p><b>State.</b> At a segment's begin: its position <i>i</i>, and for each level <i>ℓ</i> a bit,
 * whether its newest checkpoint, at position <i>s_ℓ</i>, counts. <i>M_ℓ</i> = <i>n_1⋯n_{ℓ−1}</i>
 * segments are a period of level <i>ℓ</i>. {@link FlushSchedule} walks the pattern without failures
 * and keeps how much of each flush is left at each position. A level whose flush is over has its
 * bit set; the others' bits may be set, namely after a rollback to that very checkpoint.
 *
 * <p><b>A segment.</b> Let <i>c</i> be the bits at its begin. Let <i>u_1</i> &lt; <i>u_2</i> &lt; …
 * &lt; <i>u_r</i> be the ends of flushes in it, <i>u_{r+1}</i> = <i>d</i> its own end, and
 * <i>u_0</i> = 0. Let <i>c_s</i> be the bits in (<i>u_s</i>, <i>u_{s+1}</i>); <i>c_0</i> =
 * <i>c</i>. Between ends of flushes work proceeds at the rate 1/(1 + Σ<i>α</i> of those that run),
 * from which <i>d</i> follows. With <i>p_s</i> = <i>e^{−Λu_s}</i> − <i>e^{−Λu_{s+1}}</i>, the
 * probability of a failure in that part,
 *
 * <p><i>E_i</i>(<i>c</i>) = Σ_s <i>p_s</i>·[1/<i>Λ</i> + <i>ρ</i> + Σ_ℓ
 * <i>g_ℓ</i>·(<i>Q_ℓ</i>(<i>i</i>, <i>c_s</i>) + <i>E_i</i>(<i>r_ℓ</i>(<i>i</i>, <i>c_s</i>)))],
 *
 * <p>since the expected time up to a failure or the segment's end is (1 − <i>e^{−Λd}</i>)/<i>Λ</i>
 * = Σ<i>p_s</i>/<i>Λ</i>. <i>r_ℓ</i>(<i>i</i>, <i>c</i>), given below, are the bits with which
 * position <i>i</i> is reached again. They may be more or fewer than those at the segment's begin.
 * So the <i>E_i</i>(<i>c</i>) of one position are a linear system of at most 2^<i>f</i> unknowns.
 * It is solved by sweeps in which each unknown is freed of its own share ({@link SegmentTimes}).
 *
 * <p><b>Repeated work.</b> <i>Q_ℓ</i>(<i>i</i>, <i>c</i>) is the expected time from the checkpoint
 * rolled back to, up to position <i>i</i>. Let <i>c_{&gt;ℓ}</i> be the bits above <i>ℓ</i>.
 *
 * <ul>
 *   <li>If the bit of <i>ℓ</i> is set, work is repeated from <i>s_ℓ</i>. There the bits up to
 *       <i>ℓ</i> are set, those above stay <i>c_{&gt;ℓ}</i>. So <i>Q_ℓ</i> = Σ_{j=s_ℓ}^{i−1}
 *       <i>E_j</i>(<i>c^j</i>). Here <i>c^j</i> has the bits of <i>ℓ</i>, of <i>c_{&gt;ℓ}</i>, of
 *       all levels whose flush is over at <i>j</i>, and of the lower levels without a newer
 *       checkpoint than <i>s_ℓ</i> before <i>j</i>.
 *   <li>If it is not set, the whole preceding period of level <i>ℓ</i> is repeated, and then the
 *       work from <i>s_ℓ</i> as in the first run. The preceding period runs as above, from its own
 *       begin to <i>s_ℓ</i>. Levels above <i>ℓ</i> whose period also began at <i>s_ℓ</i> count in
 *       it, since their flushes have ended; the others keep <i>c_{&gt;ℓ}</i>. From <i>s_ℓ</i> on,
 *       levels up to the highest one of the checkpoint at <i>s_ℓ</i> have the bits of the schedule,
 *       the others <i>c_{&gt;ℓ}</i>.
 * </ul>
 *
 * <p>The bits at <i>i</i> afterwards, <i>r_ℓ</i>(<i>i</i>, <i>c</i>), contain those of all levels
 * whose flush is over there. If the bit of <i>ℓ</i> is set, they also contain <i>c_{&gt;ℓ}</i>,
 * <i>ℓ</i>, and the lower levels that had no newer checkpoint than <i>s_ℓ</i> since. If it is not
 * set, they contain of <i>c_{&gt;ℓ}</i> only those above the highest level of the checkpoint at
 * <i>s_ℓ</i>. The newer checkpoints of the others have begun new flushes.
 *
 * <p>All of these are running sums, one per level and set of higher bits, that begin again with the
 * level's period. The period before the pattern's first is the last one of the preceding pattern.
 * Therefore the walk is made twice, and the second walk's times count. The pattern takes <i>E</i> =
 * Σ_i <i>E_i</i>(bits of the schedule at <i>i</i>), its waste is 1 − <i>W/E</i>. Time:
 * <i>O</i>(<i>N</i>·2^<i>f</i>·<i>k</i>²) per sweep, <i>f</i> being the flushes that run at once.
 */
@NullMarked
package io.cairn.core.pattern;

import org.jspecify.annotations.NullMarked;
