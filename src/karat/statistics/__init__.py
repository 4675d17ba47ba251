"""Statistical methods: intervals, tests, curves. They take functions of tables or weights, whatever the measure."""
