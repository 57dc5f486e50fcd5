// SPDX-License-Identifier: MIT
struct particle { int id; float at[2]; };
kernel void particles(global struct particle *p) {
    struct particle own[12];
    for (int i = 0; i < 12; i++) own[i] = (struct particle){i, {i, -i}};
    p[get_global_id(0)] = own[get_global_id(0) % 12];
}
