"""What the golden files hold of databases and of a domain's tool."""

import sqlite3
from contextlib import closing

from tests.golden.stage import Stage


def asked_databases(stage: Stage) -> None:
    """A database in a file, and a domain's tool."""
    path = stage.home.folder / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        connection.execute("CREATE VIEW dear AS SELECT name FROM room")
        connection.execute("INSERT INTO room VALUES (1, 'single'), (2, '套房')")
        connection.commit()
    stage.agent("db", "query", "--sql", "SELECT 1")
    stage.agent("db", "list")
    stage.agent("db", "setup", "--name", "shop", text=True)
    stage.agent("db", "setup", "--name", "shop", "--url", f"sqlite:///{path}", text=True)
    stage.agent("db", "setup", "--name", "shop", "--url", f"sqlite:///{path}", text=True)
    for sql in ("SELECT * FROM room", "DELETE FROM room", "SELECT x FROM nowhere", " "):
        stage.agent("db", "query", "--sql", sql)
    stage.agent("db", "query", "SELECT * FROM room", "--limit", "1")
    stage.agent("db", "query", "SELECT 1", "--sql", "SELECT 2")
    stage.agent("db", "structure")
    stage.agent("db", "structure", "--tables", "room,nowhere", "--offline")
    stage.agent("db", "structure", "--fresh", "--offline")
    stage.agent("db", "index", "--fresh")
    stage.agent("db", "setup", "--name", "stock", "--url", f"sqlite:///{path}", text=True)
    stage.agent("db", "list")
    stage.agent("db", "remove", "stock")
    stage.agent("db", "remove", "stokc", "--yes")
    stage.agent("db", "remove", "stock", "--yes")
    (stage.home.path / "config.toml").write_text('[domains]\nenabled = ["slots"]\n', "utf-8")
