// SPDX-License-Identifier: MIT
// A statement whose read and write both race is one finding, wherever in the line they are.
// RUN: --global=64 --local=64 --arg=int[1]=0
// NOTE: 'n' is 4 bytes of global memory (declared at statement_reads_and_writes.cl:7); the bytes are 0..3
// NOTE: no barrier separates the two
// NOTE: the statement reads and writes, so its writes by different work-items also race with each other
kernel void k(global int *n)
{
    *n = *n + (int)get_local_id(0); // EXPECT data-race 'n'
}
