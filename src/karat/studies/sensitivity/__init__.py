"""Sensitivity: how the ranking depends on measure, fold, label mix and key."""
