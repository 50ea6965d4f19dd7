"""What each sign weighs: for SAME and for CONTRADICTS, against APART.

Fitted by `python -m benchmarks.alignment --fit`, which prints the lines below.
"""

from typing import Final

INTERCEPT: Final = (4.138, 2.432)
WEIGHTS: Final = {
    "number_clash": (-1.816, 1.551, -0.809, 1.045),
    "numbers_shared": (1.011, -0.959, -0.648, 0.873),
    "names_left_both": (-4.333, -0.709, -0.579, 0.759),
    "subject_left_both": (0.156, -1.063, -0.600, 1.180),
    "scopes": (-4.969, -12.022, -0.227, 0.253),
    "order_reversed": (-2.514, 5.527, -0.276, 0.297),
    "set_differs": (3.329, 9.123, -0.250, 0.266),
    "bigrams": (-1.761, 0.356, -0.155, 1.012),
    "sibling": (-5.991, -6.089, -0.367, 0.401),
    "matched": (12.516, 4.089, -0.275, 1.000),
    "left_low": (-1.460, -3.722, -0.425, 1.367),
    "left_high": (-7.936, -3.303, -0.307, 1.158),
    "replaced": (-0.924, -0.601, -0.741, 1.561),
    "inserted": (0.933, 0.970, -0.723, 1.471),
    "subject_words": (0.831, -0.172, -0.993, 1.383),
    "clause_left": (-1.829, -1.287, -0.676, 1.733),
    "names_moved": (-4.237, -2.213, -0.539, 0.616),
    "mismatch_heaviest": (-0.016, 2.480, -0.657, 0.926),
    "mismatch_direct": (-0.806, 0.464, -0.610, 0.802),
    "both_deny": (0.961, -0.193, -0.944, 1.268),
    "both_exclusive": (5.027, -3.246, -0.393, 0.432),
    "one_always": (0.406, 1.101, -0.846, 1.080),
    "one_allows": (-0.812, -0.097, -0.846, 1.080),
    "one_requires": (0.346, 0.877, -0.888, 1.157),
    "one_fixes": (1.919, 0.574, -0.570, 0.658),
    "words_run": (-8.823, -5.030, -0.178, 0.666),
    "words_two_replaced": (-5.684, -7.329, -0.245, 0.287),
    "words_replaced": (-3.091, -6.121, -0.128, 0.158),
    "words_both_ends": (-11.218, -22.074, -0.119, 0.135),
    "opposed_shared": (-3.260, 8.676, -0.235, 0.285),
    "words_moved": (11.216, 9.555, -0.211, 0.373),
    "words_ratio": (-0.965, 3.277, -0.264, 0.889),
    "common_run": (-3.142, 0.050, -0.193, 0.644),
    "unrelated_shared": (-1.799, 7.845, -0.219, 0.238),
    "mismatch_shared": (-0.919, -5.765, -0.367, 0.488),
    "values_rest": (0.628, 6.066, -0.500, 0.580),
    "scopes_rest": (-2.615, -6.387, -0.408, 0.455),
}
