"""Agree: how far assessors agree, and on which labels."""
