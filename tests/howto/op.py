# SPDX-License-Identifier: MIT
"""doc/HOWTO-add-an-op.md: an opcode with a handler, and one that is an expression."""
MOST = 2

EDITS = {
    'src/bytecode/ops.def': ('// ---- floating point', '''BIN(GREATEST_BIT_I32, I32, (a | b) ? 1u << (31 - CLZ(a | b)) : 0)
REGULAR(NEXT_LANE, F(OUT(I32), IN(I32), 0, 0), NUMBER, CROSSES, next_lane)
'''),
    'src/interp/core/lane_access.c': ('const struct vm_insn *vm_op_space', '''/** The operand of the next active lane, or the lane's own in the last one. */
const struct vm_insn *vm_op_next_lane(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    uint64_t next = 0;
    bool is_last = true;
    for (uint32_t i = g->nlanes; i-- > 0;) {
        if (!g->mask[i]) continue;
        const uint64_t own = vm_operand_bits(g, q->off[1], q->varying & 2, 2, i);
        vm_set_operand(g, q->off[0], q->varying & 1, 2, i, (is_last ? own : next) + q->n);
        next = own;
        is_last = false;
    }
    return ip + 1;
}

'''),
}

FILES = {
    'tests/howto/next_lane.text': '''site write elem 4 space global index s32 scale 4 align 4
fn "k"
  uniform 4 const 0 1 8
  varying 4 4 4
  block
    v0 = WI_I32 global_id 0
    v1 = NEXT_LANE v0 100
    v2 = GREATEST_BIT_I32 v1 u1
    v1 = ADD_I32 v1 v2
    STORE u3 v0 v1 site 1
    RET
kernel "k" fn 0
  arg buffer "out" "uint*" space global write
    piece 0 8 3
''',
}


def check(run):
    values = [min(i + 1, 4) + 100 for i in range(5)]
    expected = ' '.join(str(v + 64) for v in values)
    assert expected in run('tests/howto/assembled', '../tests/howto/next_lane.text', '5')
