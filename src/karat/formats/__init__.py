"""File formats, one module each: how every kind of file is read and written, and how a file finds its reader."""
