// SPDX-License-Identifier: MIT
// The last values that fit on either side, saturation, values that no active work-item converts, and lanes without a
// work-item.
// RUN: --global=8 --local=8 --arg='float[8]=-128.99,127.99,-32768.9,32767.9,-2147483648,2147483520,-0.99,255.99' --arg='double[4]=-2147483648.99,2147483647.99,-9223372036854775808,4294967295.9' --arg=long[16]=0 --arg=int[8]=0
// DUMP 2: [-128, 127, -32768, 32767, -2147483648, 2147483520, 0, 255, -2147483648, 2147483647, -9223372036854775808, 4294967295, 127, 0, 2147483647, 0]
// DUMP 3: [-128, 127, 0, 0, 0, 0, 0, 255]
kernel void edges(global float *x, global double *y, global long *out, global int *some)
{
    int i = get_global_id(0);
    if (i == 0) {
        out[0] = (char)x[0], out[1] = (char)x[1], out[2] = (short)x[2], out[3] = (short)x[3];
        out[4] = (int)x[4], out[5] = (int)x[5], out[6] = (uint)x[6], out[7] = (uchar)x[7];
        out[8] = (int)y[0], out[9] = (int)y[1], out[10] = (long)y[2], out[11] = (uint)y[3];
        out[12] = convert_char_sat(1000.0f), out[13] = convert_uint_sat(-5.0f), out[14] = convert_int_sat_rte(INFINITY);
        out[15] = convert_int_sat(NAN);
    }
    if (x[i] > -200 && x[i] < 1000)
        some[i] = (short)x[i];
}
