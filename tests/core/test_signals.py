"""What a call's result says of an entry: hard and soft, or nothing where it is not clear."""

import pytest

from learnt.core.knowledge.signals import (
    FoundNone,
    Measured,
    Shaped,
    Spoken,
    Vote,
    Worked,
    together,
    vote,
    within,
)

FOR, AGAINST = Vote(good=True, hard=True), Vote(good=False, hard=True)
SOFTLY_FOR, SOFTLY_AGAINST = Vote(good=True, hard=False), Vote(good=False, hard=False)
KINDS = ("schema",)
STATE = Spoken(
    kind="schema", text="orders.state is 'open', 'paid' or 'void'", names=("orders.state",)
)


def first_number(text: str) -> list[float]:
    """The first number of a text, as a domain may read one; none where it grows."""
    return [float(word) for word in text.split() if word.isdigit() and "grows" not in text][:1]


def of(text: str, *names: str, shown: bool = False) -> Spoken:
    """An entry that is spoken of."""
    return Spoken(kind="schema", text=text, names=names or ("t",), shown=shown)


def measured(text: str, value: float, measure: str = "") -> Vote | None:
    """What a number says of a text about t."""
    return vote(Measured(value=value, kinds=KINDS, measure=measure), of(text), ["t"], [])


@pytest.mark.parametrize(
    ("recorded", "found", "inside"),
    [
        (100, 105, True),
        (100, 95, True),
        (100, 105.01, False),
        (100, 94.99, False),
        (0.6, 0.63, True),
        (-20, -21, True),
        (-20, 20, False),
        (0, 0, True),
        (0, 1e-6, False),
    ],
)
def test_five_percent_of_what_is_recorded(recorded: float, found: float, inside: bool) -> None:
    """Either way, the edge included."""
    assert inside is within(recorded, found)


def test_a_number_is_compared_with_that_of_its_measure() -> None:
    """Inside it holds, outside it does not."""
    assert FOR == measured("t has 4800 rows", 4_900)
    assert AGAINST == measured("t has 4800 rows", 6_000)
    assert FOR == measured("a scan of t takes 2 minutes, on 8 disks", 121, "time")


@pytest.mark.parametrize(
    "text", ["t has rows", "t has 10 to 20 rows", "t is of 2024-05-01", "t uses v1.2.3"]
)
def test_what_cannot_be_compared_says_nothing(text: str) -> None:
    """No number, several, or one that is a name."""
    assert measured(text, 15) is None


def test_numbers_in_names_are_no_numbers() -> None:
    """The 3 of arm-3 is not what it pays."""
    pays = of("arm-3 pays 0.60 a pull", "arm-3")
    assert FOR == vote(Measured(value=0.61, kinds=KINDS), pays, ["arm-3"], [])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_number_says_nothing(value: float) -> None:
    """Whatever an extractor gives."""
    assert measured("t has 4800 rows", value) is None


def test_what_worked_speaks_of_entries_of_its_kind_that_it_names_whole() -> None:
    """A statement on one table shows nothing of what joins two, nor of a rule."""
    worked, joined = Worked(good=True, kinds=KINDS), of("a joins b", "a", "b")
    assert FOR == vote(worked, joined, ["A", "b", "c"], [])
    assert vote(worked, joined, ["a"], []) is None
    assert vote(Worked(good=True, kinds=("procedure",)), joined, ["a", "b"], []) is None
    nameless = Spoken(kind="schema", text="all is well", names=())
    assert vote(worked, nameless, ["a"], []) is None


def test_a_signal_may_name_what_it_is_about_itself() -> None:
    """Of a call that is about more."""
    failed = Worked(good=False, kinds=KINDS, entities=("a",))
    assert vote(failed, of("b", "b"), ["a", "b"], []) is None
    assert AGAINST == vote(failed, of("a", "a"), ["a", "b"], [])


@pytest.mark.parametrize(
    ("value", "prompts", "shown", "expected"),
    [
        ("void", [], True, SOFTLY_AGAINST),  # from knowledge
        ("gone", ["which orders are 'gone'?"], False, SOFTLY_FOR),  # from the person
        ("void", ["which orders are void?"], True, None),  # from either
        ("gone", [], True, None),  # from nobody known
        ("void", [], False, None),  # not from this entry: it was not shown
        ("VOID", [], True, None),  # another value to many a server
    ],
)
def test_nothing_under_a_value(
    value: str, prompts: list[str], shown: bool, expected: Vote | None
) -> None:
    """Whose value it was decides; where that is not clear nothing is said."""
    asked = Spoken(kind=STATE.kind, text=STATE.text, names=STATE.names, shown=shown)
    assert expected == vote(FoundNone(value=value, kinds=KINDS), asked, STATE.names, prompts)


def test_what_lists_no_values_is_confirmed_by_no_miss() -> None:
    """A person's odd value says nothing of an index."""
    index = of("orders.state has an index", "orders.state")
    asked = FoundNone(value="gone", kinds=KINDS)
    assert vote(asked, index, ["orders.state"], ["any gone orders?"]) is None


def test_signals_that_disagree_say_nothing() -> None:
    """And a hard one outweighs a soft one."""
    assert together([FOR, AGAINST]) is None
    assert together([]) is None
    assert AGAINST == together([AGAINST, SOFTLY_FOR])


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("`film.rating` is one of five", ("film", "rating"), FOR),
        ("`film.rating` is one of five", ("film.rating",), FOR),
        ("`film.rate` is the price", ("film", "rate"), AGAINST),
        ("the price is in `rate`", ("film.rate",), AGAINST),
        ("the price is in `rate`", ("film", "rate"), None),
        ("`film` is joined to `actor`", ("film", "actor"), None),
        ("`film.rate` and `actor.id` agree", ("film", "actor"), AGAINST),
        ("film.py fills it", ("film",), None),
        ("`film.count()` is slow", ("film",), None),
        ("`old_film.rate` is the price", ("old_film",), None),
        ("the price is `actor.price`, not `film.rate`", ("film", "actor"), None),
        ("there is no film.rate", ("film",), FOR),
        ("film.rate is never NULL", ("film.rate",), AGAINST),
        ("film.rate is never NULL", ("film", "rate"), AGAINST),
        ("the page film.form shows it", ("film",), None),
        ("`Film.objects.all()` is slow", ("film",), None),
        ("在film.rating列表示分级", ("film",), FOR),
        ("film.rate 已改名", ("film.rate",), None),
        ("没有film.rate列", ("film.rate",), None),
        ("film.rate was dropped in 2024", ("film", "rate"), None),
    ],
)
def test_a_table_that_was_seen_whole_is_held_against_what_names_it(
    text: str, names: tuple[str, ...], expected: Vote | None
) -> None:
    """A column that it has not speaks against an entry; all that it names being there, for it."""
    film = Shaped(whole="film", parts=("film_id", "Rating"), kinds=KINDS)
    assert expected == vote(film, of(text, *names), ["film"], [])


def test_a_table_of_another_database_is_held_against_nothing() -> None:
    """A fact that names its database is spoken of by calls that named it."""
    film = Shaped(whole="film", parts=("film_id",), kinds=KINDS)
    for text in ("`film.rating` is one of five", "shop.film has it in `film.rating`"):
        rating = of(text, "shop", "film", "film.rating")
        assert AGAINST == vote(film, rating, ["film", "film_id", "shop"], [])
        assert vote(film, rating, ["film", "film_id", "archive"], []) is None


def test_a_signal_that_names_its_culprit_spares_the_others() -> None:
    """A column that is not there says nothing of what is known of its table."""
    gone = Worked(good=False, kinds=KINDS, entities=("t", "rate"), naming=("rate", "t.rate"))
    about = ["t", "rate"]
    assert AGAINST == vote(gone, of("the price is in rate", "t", "rate"), about, [])
    assert vote(gone, of("t holds rooms", "t"), about, []) is None
    assert vote(gone, of("the price is in Rate", "t", "Rate"), about, []) is None  # needs quotes


def test_what_an_entry_says_is_not_there_does_not_speak_against_it() -> None:
    """It was warned of, and somebody tried it all the same."""
    gone = Worked(good=False, kinds=KINDS, naming=("rate", "t.rate"))
    warned = of("the price is in `hotel.price`, not in `t.rate`", "t.rate")
    assert vote(gone, warned, ["t.rate", "t"], []) is None
    assert AGAINST == vote(gone, of("the price is in `t.rate`", "t.rate"), ["t.rate", "t"], [])
    for text in (
        "t.price replaces t.rate", "t.price, previously t.rate", "t.rate became t.price",
        "t lacks t.rate", "t.rate is now t.price", "t.rate was merged into t.price",
        "t.price used to be t.rate", "t.rate 改成了 t.price", "t.price 取代了 t.rate",
    ):  # fmt: skip
        renamed = of(text, "t", "t.price", "t.rate")
        assert vote(gone, renamed, ["t", "t.price", "t.rate"], []) is None, text


def test_a_number_of_some_rows_is_compared_with_what_speaks_of_them() -> None:
    """By a word that says which rows."""
    some = Measured(value=223, kinds=KINDS, naming=("state",), saying=("open",))

    def compared(text: str, *names: str) -> Vote | None:
        return vote(some, of(text, *names), ["t", "state"], [])

    assert AGAINST == compared("t has 400 rows whose state is 'open'", "t", "state")
    assert compared("t has 400 rows whose state is 'void'", "t", "state") is None
    assert compared("t has 400 rows, open or not", "t") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the largest t.amount is 9.99", AGAINST),
        ("t.amount is 9.99 at most", None),
        ("the 5 largest of t.amount are refunds", None),
        ("the largest t.amount has 2 decimals", None),
        ("the largest t.amount is of 2006", None),  # another year
    ],
)
def test_a_number_that_a_word_says_is_no_other_of_the_sentence(
    text: str, expected: Vote | None
) -> None:
    """How many there are of something, or what it may not pass; nor are two years alike."""
    value = 2_007 if "2006" in text else 11.99
    most = Measured(value=value, kinds=KINDS, naming=("t.amount",), saying=("largest",))
    assert expected == vote(most, of(text, "t.amount"), ["t", "t.amount"], [])


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("`film.title` is unique", ("film",), FOR),
        ("film.length is in minutes", ("film",), None),
        ("film holds a row for each title", ("film",), None),
        ("never use film.title as a key", ("film", "title"), None),
        ("names are in `actor.title`", ("actor", "title"), None),
        ("a title is unique", ("title",), None),
    ],
)
def test_what_ran_confirms_what_names_its_parts(
    text: str, names: tuple[str, ...], expected: Vote | None
) -> None:
    """All parts of the text too; not the table alone, nor what warns of it."""
    ran = Worked(good=True, kinds=KINDS, of_parts=True)
    assert expected == vote(ran, of(text, *names), ["film", "film.title", "actor"], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("joined by `film.id = stock.film_id`", FOR),
        ("joined by stock.film_id = film.id", FOR),
        ("joined by `hotel.stock.film_id` = `film.id`", FOR),
        ("joined by `film.id = stock.id`", None),
        ("joined by `film.id = stock.film_id` and `film.shop = stock.shop`", None),
        ("stock.film_id is of film.id", FOR),
        ("where film.id = 3, of stock.film_id", FOR),
        ("film.id = film.film_id, and stock.film_id", FOR),
    ],
)
def test_what_ran_confirms_the_joins_that_it_made(text: str, expected: Vote | None) -> None:
    """A statement on the same tables and columns that joins them otherwise says nothing."""
    about = ["film", "film.id", "film.film_id", "film.shop", "stock", "stock.film_id", "stock.id"]
    about += ["stock.shop"]
    ran = Worked(good=True, kinds=KINDS, of_parts=True, equal=(("film.id", "stock.film_id"),))
    assert expected == vote(ran, of(text, "film", "stock"), about, [])


def test_who_does_not_look_at_what_was_set_equal_is_not_asked() -> None:
    """A domain without joins says nothing of them."""
    ran = Worked(good=True, kinds=KINDS)
    joined = of("joined by `film.id = stock.film_id`", "film", "stock")
    about = ["film", "film.id", "stock", "stock.film_id"]
    assert FOR == vote(ran, joined, about, [])


def test_a_value_that_is_said_not_to_be_there_is_not_missed() -> None:
    """And a digit in a prompt is no person's value."""
    never = Spoken(
        kind="schema", text="o.s is 'a1' or 'b1', never 'void'", names=("o.s",), shown=True
    )
    assert vote(FoundNone(value="void", kinds=KINDS), never, ["o.s"], []) is None
    assert vote(FoundNone(value="1", kinds=KINDS), never, ["o.s"], ["step 1"]) is None
    chinese = Spoken(kind="schema", text="o.s is '取消' or '完成'", names=("o.s",), shown=True)
    assert vote(FoundNone(value="取消", kinds=KINDS), chinese, ["o.s"], ["查询取消的订单"]) is None


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("178 rooms of t have state 'open'", 180, FOR),
        ("178 rooms of t have state 'open'", 250, AGAINST),
        ("178 rooms of t have state 'void'", 250, None),
        ("178 rooms of t have state 'open' or 'void'", 178, None),
        ("on 2026-01-05 178 rooms of t had state 'open'", 250, None),
        ("on 2026-01-05 178 rooms of t had state 'open'", 180, FOR),
        ("as of the move, 178 rooms of t had state 'open'", 250, None),
        ("more than 100 rooms of t have state 'open'", 250, None),
        ("state 'open' has 100 rooms of t at most", 50, None),
        ("each hotel has 178 rooms of t with state 'open'", 356, None),
        ("178 rooms of t have state 'Open'", 180, FOR),
        ("178 rooms of t have state 'Open'", 3, None),
    ],
)
def test_a_number_under_one_value(text: str, value: float, expected: Vote | None) -> None:
    """Is held against a text that names that value alone, and no bound, nor what was so once."""
    counted = Measured(value=value, kinds=KINDS, under="open")
    assert expected == vote(counted, of(text), ["t"], [])


def test_a_number_is_held_against_numbers_of_its_sort() -> None:
    """By what finds those in a text: of other numbers it says nothing."""
    for value, text, expected in (
        (400, "t has 400 rows", FOR),
        (900, "t has 400 rows", AGAINST),
        (900, "t grows by 400 rows a day", None),
    ):
        counted = Measured(value=value, kinds=KINDS, reads=first_number)
        assert expected == vote(counted, of(text), ["t"], [])
