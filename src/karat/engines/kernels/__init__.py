"""Loops over words, trees and matches, compiled: what the engines count and compare."""
