"""Pages as people meet them: in a browser."""
