"""The rules of a campaign."""
