"""What talks to servers: requests that are sent again when they are lost, and judges that are programs."""
