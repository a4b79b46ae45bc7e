"""Benchmarks print their ratios; `make bench` runs them (pytest-benchmark), the test run does not."""
