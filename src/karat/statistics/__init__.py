"""Methods: intervals, tests, curves. They take callables over tables or weights and know no measure."""
