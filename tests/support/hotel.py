"""A made-up hotel for statements as people write them, in each server's own words."""

from typing import Final

_ROWS: Final = (
    "INSERT INTO room VALUES (1, '套房', 120.50, 'double'), (2, 'North', 80, 'single'),"
    " (3, 'South', 80, 'single')",
    "INSERT INTO guest (id, name, email, country, joined, vip, notes) VALUES"
    " (1, 'Anna', 'anna@x.example', 'DE', '2020-05-01', {yes}, NULL),"
    " (2, 'Bob', 'bob_b@y.example', 'FR', '2021-06-02', {no}, 'late'),"
    " (3, 'Chen', 'chen@x.example', NULL, '2022-07-03', NULL, '50% off')",
    "INSERT INTO booking (id, guest_id, room_id, arrives, leaves, status, total, made) VALUES"
    " (1, 1, 1, '2026-03-01', '2026-03-04', 'open', 361.50, '2026-02-01 10:11:12'),"
    " (2, 1, 2, '2026-03-03', '2026-03-05', 'paid', 160, '2026-02-02 09:00:00'),"
    " (3, 2, 1, '2026-03-08', '2026-03-09', 'paid', 120.50, '2026-02-28 23:59:59'),"
    " (4, 2, 2, '2026-04-01', '2026-04-02', 'cancelled', 80, '2026-03-01 00:00:00')",
    "INSERT INTO payment VALUES (1, 2, 100, 'card'), (2, 2, 60, 'cash'), (3, 3, 20, 'card')",
    "INSERT INTO staff VALUES (1, 'Ida', NULL, 90, 'desk'), (2, 'Jo', 1, 60, 'desk'),"
    " (3, 'Kim', 2, 50, 'kitchen')",
    "INSERT INTO event_log (id, level, payload) VALUES"
    """ (1, 'ERROR', '{{"user": {{"id": 7, "name": "anna"}}, "ms": 120, "tags": ["slow"]}}'),"""
    """ (2, 'INFO', '{{"user": {{"id": 8, "name": "bob"}}, "ms": 3, "tags": ["x", "y"]}}')""",
    "INSERT INTO review (id, body) VALUES (1, 'a quiet large room'), (2, 'quiet but loud')",
    "INSERT INTO 订单 VALUES (1, '王', 120, '已付款'), (2, '李', 80, '未付款')",
)
_TABLES: Final = (
    "CREATE TABLE room (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, rate DECIMAL(8,2),"
    " kind VARCHAR(9))",
    "CREATE TABLE guest (id INTEGER PRIMARY KEY, name VARCHAR(40), email VARCHAR(60),"
    " country VARCHAR(2), joined DATE, vip BOOLEAN, notes TEXT{guest})",
    "CREATE TABLE booking (id {serial}, guest_id INTEGER REFERENCES guest (id), room_id INTEGER,"
    " arrives DATE, leaves DATE, status VARCHAR(9), total DECIMAL(8,2), made {moment}{booking})",
    "CREATE INDEX by_guest ON booking (guest_id)",
    "CREATE INDEX by_arrival ON booking (arrives)",
    "CREATE TABLE payment (id INTEGER PRIMARY KEY, booking_id INTEGER, amount DECIMAL(8,2),"
    " method VARCHAR(9))",
    "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR(40), boss_id INTEGER,"
    " salary DECIMAL(8,2), dept VARCHAR(9))",
    "CREATE TABLE event_log (id INTEGER PRIMARY KEY, level VARCHAR(9), payload {json}{event})",
    "CREATE TABLE review (id INTEGER PRIMARY KEY, body TEXT{review})",
    "CREATE TABLE 订单 (编号 INTEGER, 客户 VARCHAR(9), 金额 DECIMAL(8,2), 状态 VARCHAR(9))",
    "CREATE VIEW dear AS SELECT id, name FROM room WHERE rate > 100",
    "CREATE TABLE words ({words})",
)
# Names that are words of some server's grammar and need no quotes.
_WORDS: Final = """
    type status date timestamp value position language count level comment action begin name no
    password role start temporary text time view year month hash enable
"""


def _filled(differing: dict[str, str], words: str) -> tuple[str, ...]:
    told = {"words": ", ".join(f"{word} VARCHAR(9)" for word in words.split()), **differing}
    return tuple(one.format(**told) for one in _TABLES + _ROWS)


_OTHERS: Final = {"guest": "", "booking": "", "event": "", "review": ""}
MARIADB: Final = (
    *_filled(
        {
            **_OTHERS,
            "serial": "INTEGER PRIMARY KEY",
            "moment": "DATETIME",
            "json": "JSON",
            "review": ", FULLTEXT KEY words (body)",
            "yes": "1",
            "no": "0",
        },
        f"{_WORDS} user end open truncate",
    ),
    "CREATE TABLE `order` (id INTEGER, `group` VARCHAR(9), `key` VARCHAR(9), `desc` VARCHAR(9))",
    "INSERT INTO `order` VALUES (1, 'g', 'k', 'd')",
    "CREATE TABLE `odd table` (`weird``name` INTEGER, `with space` INTEGER, `1st` INTEGER)",
    "INSERT INTO `odd table` VALUES (1, 2, 3)",
    "CREATE TABLE sale (day DATE, amount DECIMAL(8,2)) PARTITION BY RANGE COLUMNS (day)"
    " (PARTITION p2025 VALUES LESS THAN ('2026-01-01'), PARTITION p2026 VALUES LESS THAN MAXVALUE)",
    "INSERT INTO sale VALUES ('2025-05-01', 10), ('2026-05-01', 20)",
    "CREATE TABLE price (room_id INTEGER, amount DECIMAL(8,2)) WITH SYSTEM VERSIONING",
    "INSERT INTO price VALUES (1, 100), (2, 80)",
)
POSTGRES: Final = (
    *_filled(
        {
            "serial": "SERIAL PRIMARY KEY",
            "moment": "TIMESTAMP",
            "json": "JSONB",
            "guest": ", tags TEXT[] DEFAULT '{vip,new}'",
            "booking": ", during DATERANGE GENERATED ALWAYS AS (daterange(arrives, leaves)) STORED",
            "event": ", ip INET DEFAULT '10.1.2.3'",
            "review": ", body_tsv TSVECTOR GENERATED ALWAYS AS"
            " (to_tsvector('english'::regconfig, body)) STORED",
            "yes": "true",
            "no": "false",
        },
        f"{_WORDS} sql",
    ),
    'CREATE TABLE "order" (id INTEGER, "group" TEXT, "key" TEXT, "desc" TEXT)',
    "INSERT INTO \"order\" VALUES (1, 'g', 'k', 'd')",
    'CREATE TABLE "Odd Table" ("odd""name" INTEGER, "With Space" INTEGER, date DATE)',
    "INSERT INTO \"Odd Table\" VALUES (1, 2, '2026-01-01')",
    "CREATE TABLE sale (day DATE, amount NUMERIC) PARTITION BY RANGE (day)",
    "CREATE TABLE sale_2026 PARTITION OF sale FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
    "INSERT INTO sale VALUES ('2026-05-01', 20)",
)
SQLITE: Final = (
    *_filled(
        {
            **_OTHERS,
            "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
            "moment": "TEXT",
            "json": "TEXT",
            "yes": "1",
            "no": "0",
        },
        f"{_WORDS} key end sql",
    ),
    'CREATE TABLE "order" (id INTEGER, "group" TEXT, "key" TEXT, "desc" TEXT)',
    "INSERT INTO \"order\" VALUES (1, 'g', 'k', 'd')",
    'CREATE TABLE "odd table" ("odd""name" INTEGER, "with space" INTEGER)',
    'INSERT INTO "odd table" VALUES (1, 2)',
    "CREATE VIRTUAL TABLE note_fts USING fts5 (body)",
    "INSERT INTO note_fts SELECT body FROM review",
    "ANALYZE",
)
