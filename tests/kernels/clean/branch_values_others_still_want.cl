// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=96 --arg=uint[96]=9 --arg=uint=5
// RUN: --global=192 --local=64 --arg=uint[192]=9 --arg=uint=5
// RUN: --global=40 --local=20 --arg=uint[40]=9 --arg=uint=5
// DUMP 0: [0] * N
// Work-items leave loops in different rounds and at different places, go on early, come in late, and want later what they had then. Each
// number is computed once where all go different ways, and once where all go the same way. The number of those that differ.
uint found(uint from, uint m)
{
    for (uint k = from;; k++) {
        if (k % m == 3) return k;
        if (k % 11 == 7) return k + 100;
    }
}

uint way_of(uint l, uint five)
{
    uint left = 0, last = l, sum = 0, i, j = 0;
    for (i = 0; i < 20; i++) {
        uint t = i * l;
        if (t % 7 == 5) continue;
        if (t % 13 == 11) break;
        for (j = 0; j < l % 5; j++) {
            last = l > 50 ? i + j : last + 1;
            if ((i + j + l) % 17 == 0) break;
            left += j & 1 ? i : 2;
        }
        switch ((l + i) % 4) {
        case 0: sum += j; break;
        case 1: last++; // fall through
        case 2: sum += last % five;
        default: left ^= sum;
        }
        if (l % 9 == 8 && i > 10 && sum > 20) return 1000 + i;
        sum += t & 1 || l % 3 ? t % 3 : found(t, five + l % 2);
    }
    return left + last * 3 + sum * 5 + i * 7 + j * 11;
}

kernel void ways(global uint *out, uint five)
{
    uint l = get_local_id(0), mine = way_of(l, five), differ = 0;
    for (uint k = 0; k < get_local_size(0); k++) {
        uint other = way_of(k, five);
        if (k == l) differ += other != mine;
    }
    out[get_global_id(0)] = differ;
}
