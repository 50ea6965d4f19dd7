"""Keywords of programming languages, of queries and of build files, in lower case."""

from typing import Final

KEYWORDS: Final = frozenset(
    """
    abstract add alter and as assert async await begin boolean break byte by case cast catch
    char check class column commit const constraint constructor continue create data
    debug def default defer delete del desc distinct do double drop elif else elsif end endif
    enum env except exec exists expose export extends extension extern false final finally float
    fn for foreign from fun func function global go grant group having if implements import in
    include index inner insert instanceof int integer interface internal into is join key lambda
    left let limit long match mod module mut namespace new nil none nonlocal not null object of
    on open or order outer override package pass private procedure protected pub public raise
    readonly ref references require requires rescue return returns right rollback run schema
    sealed select self set short signed sizeof static string struct super switch synchronized
    table then this throw throws trait transient trigger true try type typealias typedef typeof
    union unique unless unsigned until update use user using val values var varchar view virtual
    void volatile when where while with workdir yield
    """.split()
)
