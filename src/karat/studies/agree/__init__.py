"""Agree: do the assessors agree, and on what."""
