"""Placeholder until the demo is written."""

import click


@click.command()
def demo() -> int:
    """Show."""
    return 0
