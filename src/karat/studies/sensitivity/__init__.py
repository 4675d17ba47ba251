"""Sensitivity: what hangs on measure, fold, label mix and key."""
