"""Fuzzing: files of every format, damaged at random, read by the library and by the command line."""
