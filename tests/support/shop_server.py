"""A server of tools that asks an SQLite file: somebody else's, as agents have them."""

import json
import sqlite3
import sys
from contextlib import closing

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("shop")


@server.tool()
def query(sql: str) -> str:
    """Run a statement on the shop's database, and give its rows as JSON."""
    with closing(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        try:
            return json.dumps([dict(row) for row in connection.execute(sql)])
        except sqlite3.Error as error:
            raise ToolError(str(error)) from error


if __name__ == "__main__":
    server.run()
