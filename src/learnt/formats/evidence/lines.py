"""The reader of shell lines, by the name that its copy has beside the hook."""

from learnt.core.shell import PIPES, WRAPPERS, Line, ShellCommand, read

__all__ = ["PIPES", "WRAPPERS", "Line", "ShellCommand", "read"]
