"""The names of functions that only compute or only look, by server; each was put in by hand.

Gone through were MariaDB's help, MySQL 8's manual, PostgreSQL's `pg_proc` and SQLite's
`function_list`. Left out is what writes, waits, locks, sends, reads files or a sequence, runs a
text as a statement, or changes the session, and whatever is in doubt.
"""
