"""`evalkit init`: files to start from, read off an agent, rehearsed in golden mode before they are written."""
