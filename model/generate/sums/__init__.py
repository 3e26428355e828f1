"""Sums and dates, mostly with small numbers."""

from .arithmetic import comparing, counting, percent, plain_sum, small_steps, units
from .dates import clock_sums, date_sums, day_names, month_names
from .stories import story

GENERATORS = [
    (plain_sum, 60),
    (small_steps, 8),
    (comparing, 9),
    (counting, 8),
    (story, 18),
    (percent, 3),
    (day_names, 7),
    (month_names, 6),
    (clock_sums, 6),
    (date_sums, 5),
    (units, 5),
]
