"""What is asked of Sakila in five rounds, by which statements, and what is offered afterwards."""

from tools.investigation import AGENT, TOOL, USER, Round, Said, Script, Task

# How a rental leads to what was rented.
_COPIES = "inventory i ON r.inventory_id = i.inventory_id"
_RENTED = f"rental r JOIN {_COPIES}"
_PAID = f"payment p JOIN rental r ON p.rental_id = r.rental_id JOIN {_COPIES}"
_IN_CATEGORY = (
    "JOIN film_category fc ON i.film_id = fc.film_id"
    " JOIN category c ON fc.category_id = c.category_id"
)
_LATE = (
    f"SELECT COUNT(*) FROM {_RENTED} JOIN film f ON i.film_id = f.film_id"
    " WHERE DATEDIFF(r.return_date, r.rental_date) > f.rental_duration"
)
_LIVES = (
    "customer cu JOIN address a ON cu.address_id = a.address_id"
    " JOIN city ci ON a.city_id = ci.city_id JOIN country co ON ci.country_id = co.country_id"
)


def _whole(column: str, rest: str, pieces: int = 5) -> str:
    """A statement for a long text, whose answer is cut at 200 characters a cell."""
    cells = (f"SUBSTRING({column}, {1 + 190 * n}, 190)" for n in range(pieces))
    return f"SELECT {', '.join(cells)} FROM {rest}"


def _function(name: str) -> str:
    return _whole(
        "routine_definition", f"information_schema.routines WHERE routine_name = '{name}'", 8
    )


def _view(name: str) -> str:
    return _whole("view_definition", f"information_schema.views WHERE table_name = '{name}'")


_PATH = ("rental", "rental.inventory_id", "inventory", "inventory.film_id")
_EXTRAS = ("film", "film.special_features")
_DURATION = ("film", "film.rental_duration")
_OUT = ("rental", "rental.return_date")
_STORE = ("inventory", "inventory.store_id")
_ORIGINAL = ("film", "film.original_language_id")
_LANGUAGE = ("film", "film.language_id")
_FILM = ("table:film",)

FIRST = Round(0, (
    Task("What does a row of rental tell, and how does it lead to its film?", (
        "SHOW TABLES",
    ), (
        Said("schema", "A rental leads to its film by rental.film_id", expected="in"),
        Said("procedure", "I listed the tables of sakila and looked at their names"),
        Said("schema", "The database has tables and views"),
    )),
    Task("How often was each film rented?", (
        "SELECT film_id, COUNT(*) FROM rental GROUP BY film_id",
        "SHOW COLUMNS FROM rental",
        "SHOW COLUMNS FROM inventory",
        f"SELECT i.film_id, COUNT(*) AS times FROM {_RENTED} GROUP BY i.film_id"
        " ORDER BY times DESC, i.film_id LIMIT 3",
    ), (
        Said("schema", "A rental leads to its film by rental.inventory_id and inventory.film_id, "
             "not by rental.film_id", TOOL, (0, 1, 2), _PATH, expected="right"),
        Said("data_snapshot", "The film that was rented most often was rented 34 times today"),
        Said("schema", "rental.rental_date is the date of the rental"),
        Said("procedure", "We should add an index for this report next month"),
    )),
    Task("Which category of films earns the most money?", (
        "SHOW COLUMNS FROM payment",
        "SHOW COLUMNS FROM film_category",
        f"SELECT c.name, SUM(p.amount) AS income FROM {_PAID} {_IN_CATEGORY}"
        " GROUP BY c.name ORDER BY income DESC LIMIT 3",
    ), (
        Said("query_pattern", "What a category of films earns: SUM(payment.amount), where payment "
             "joins rental by rental_id, inventory by inventory_id, film_category by film_id and "
             "category by category_id", TOOL, (0, 1), ("payment", "film_category"),
             expected="in"),
        Said("data_snapshot", "Right now Sports earns the most money"),
        Said("schema", "payment.amount is the amount of the payment"),
    )),
    Task("How many rentals came back late?", (
        "SHOW COLUMNS FROM film",
        _LATE,
    ), (
        Said("schema", "A rental is late when rental.return_date is more than "
             "film.rental_duration days after rental.rental_date", TOOL, (0,), _DURATION,
             expected="in"),
        Said("data_snapshot", "At the moment 7269 rentals came back late"),
        Said("procedure", "Perhaps customers forget to bring films back over the weekend"),
    )),
    Task("Which extras (special features) can a film have?", (
        "SELECT DISTINCT special_features FROM film WHERE film_id < 4",
    ), (
        Said("schema", "The extras of a film, film.special_features, are a set of 3 possible "
             "values", TOOL, (0,), _EXTRAS, expected="in"),
        Said("procedure", "The query ran without errors and the answer looks good"),
    )),
))  # fmt: skip

SECOND = Round(7, (
    Task("How many films are still out with customers?", (
        "SHOW COLUMNS FROM rental",
        "SELECT COUNT(*) FROM rental WHERE return_date IS NULL",
    ), (
        Said("schema", "A film is still out with the customer while rental.return_date is NULL",
             TOOL, (0,), _OUT, expected="in"),
        Said("data_snapshot", "There are 183 films out today"),
        Said("procedure", "I will check the stores next"),
    )),
    Task("Which special features exist for films?", (
        "SHOW COLUMNS FROM film LIKE 'special_features'",
    ), (
        Said("schema", "The extras of a film, film.special_features, are a set of 4 possible "
             "values: Trailers, Commentaries, Deleted Scenes, Behind the Scenes", TOOL, (0,),
             _EXTRAS, expected="right"),
        Said("schema", "film.film_id is the id of a film"),
    ), ("Trailers", "Commentaries", "Deleted Scenes", "Behind the Scenes")),
    Task("How many copies of films does each store have?", (
        "SHOW COLUMNS FROM inventory",
        "SELECT store_id, COUNT(*) FROM inventory GROUP BY store_id",
    ), (
        Said("schema", "A row of inventory is one copy of a film, and inventory.store_id says "
             "which store has it", TOOL, (0,), _STORE, expected="in"),
        Said("data_snapshot", "inventory has 4581 rows, one for each copy of a film that the "
             "stores own", USER, (), ("inventory",), expected="in"),
        Said("data_snapshot", "Store 1 has 2270 copies today"),
    )),
    Task("What does the function inventory_in_stock tell?", (
        "SELECT inventory_in_stock(1)",
        _function("inventory_in_stock"),
    ), (
        Said("schema", "inventory_in_stock(id) is true for a copy without any rental, or when none "
             "of its rentals has return_date NULL", TOOL, (1,), ("inventory_in_stock",),
             expected="in"),
        Said("procedure", "It was refused at first, then I found another way"),
    ), ("return_date", "NULL")),
    Task("How is the language of a film stored?", (
        "SHOW COLUMNS FROM film LIKE '%language%'",
        "SELECT COUNT(*) FROM film WHERE original_language_id IS NOT NULL",
        "SELECT l.name, COUNT(*) FROM film f JOIN language l ON f.language_id = l.language_id"
        " GROUP BY l.name",
    ), (
        Said("schema", "The language of a film is film.language_id, that leads to language.name",
             TOOL, (0,), _LANGUAGE, _FILM, expected="in"),
        Said("schema", "film.original_language_id is NULL for every film: nobody fills it in",
             TOOL, (1,), _ORIGINAL, _FILM, expected="in"),
        Said("schema", "language.name is the name of the language"),
    )),
))  # fmt: skip

THIRD = Round(14, (
    Task("How many copies of films do all stores own together?", (
        "SELECT COUNT(*) FROM inventory",
    ), (
        Said("data_snapshot", "The stores own 4981 copies of films today"),
    )),
    Task("Which member of staff takes in the most money?", (
        "SHOW COLUMNS FROM staff",
        "SHOW COLUMNS FROM payment",
        "SELECT s.username, SUM(p.amount) AS taken FROM payment p JOIN staff s"
        " ON p.staff_id = s.staff_id GROUP BY s.username ORDER BY taken DESC",
    ), (
        Said("schema", "Who took the money is payment.staff_id; rental.staff_id is who handed the "
             "film out", TOOL, (0, 1), ("payment", "payment.staff_id"), expected="in"),
        Said("schema", "staff.email is the email of a member of staff"),
        Said("data_range", "A payment lies between 0 and 11.99"),
    )),
    Task("Which films are never rented?", (
        "SHOW COLUMNS FROM inventory",
        "SELECT COUNT(*) FROM film f LEFT JOIN inventory i ON f.film_id = i.film_id"
        " WHERE i.inventory_id IS NULL",
    ), (
        Said("schema", "A film without a row in inventory has no copy and can never be rented",
             TOOL, (0,), ("inventory", "film"), expected="in"),
        Said("data_snapshot", "42 films have no copy as of this morning"),
        Said("schema", "rental.return_date 为 NULL 时，影片仍在顾客手中", AGENT, (), _OUT,
             expected="known"),
    )),
    Task("Are there films whose original language is another one?", (
        "SELECT COUNT(*) FROM film WHERE original_language_id <> language_id",
    ), (
        Said("schema", "For every film film.original_language_id is NULL: nobody fills it in",
             TOOL, (0,), _ORIGINAL, expected="known"),
        Said("data_snapshot", "All 1000 films are in English right now"),
    ), ("0",)),
    Task("Which films came back late in August?", (
        "SHOW COLUMNS FROM film",
        f"{_LATE} AND r.return_date >= '2005-08-01' AND r.return_date < '2005-09-01'",
    ), (
        Said("schema", "租赁逾期：rental.return_date 晚于 rental.rental_date 加 "
             "film.rental_duration 天", TOOL, (0,), _DURATION, expected="known"),
        Said("business_rule", "Maybe a rental is late after 7 days"),
        Said("procedure", "The August report is done"),
    )),
), "the stores bought 400 more copies.", (
    "INSERT INTO inventory (film_id, store_id) SELECT film_id, 1 + film_id % 2 FROM film"
    " WHERE film_id IN (SELECT film_id FROM inventory) ORDER BY film_id LIMIT 400",
))  # fmt: skip

FOURTH = Round(21, (
    Task("What does a late return cost the customer?", (
        _function("get_customer_balance"),
    ), (
        Said("business_rule", "A late return costs 1 dollar a day beyond film.rental_duration, as "
             "get_customer_balance adds it up", USER, (0,), ("get_customer_balance",),
             expected="in"),
        Said("business_rule", "A late return costs 2 dollars a day beyond film.rental_duration, as "
             "get_customer_balance adds it up", AGENT, (), ("get_customer_balance",)),
        Said("procedure", "Maybe the balance is wrong for old rentals"),
    ), ("rental_duration",)),
    Task("Which category of films is rented most often?", (
        "SHOW COLUMNS FROM rental",
        "SHOW COLUMNS FROM inventory",
        f"SELECT c.name, COUNT(*) AS times FROM {_RENTED} {_IN_CATEGORY}"
        " GROUP BY c.name ORDER BY times DESC LIMIT 3",
    ), (
        Said("schema", "From a rental to its film: rental.inventory_id and inventory.film_id, not "
             "rental.film_id", TOOL, (0, 1), _PATH, expected="known"),
        Said("data_snapshot", "Sports is rented most often this week"),
    )),
    Task("Which store earns more money?", (
        _view("sales_by_store"),
        "SELECT manager, total_sales FROM sales_by_store",
    ), (
        Said("schema", "What a store earns, as the view sales_by_store has it, goes by the store "
             "that owns the copy and not by who took the money", TOOL, (0,), ("sales_by_store",),
             expected="in"),
        Said("schema", "sales_by_store.manager is the manager of the store"),
        Said("procedure", "Great, that is what the owner wanted to hear"),
    )),
    Task("Do we know the original language of a film?", (
        "SELECT COUNT(*) FROM film WHERE original_language_id IS NOT NULL",
        "SHOW COLUMNS FROM film LIKE '%language%'",
    ), (
        Said("schema", "There is no film.original_language_id any more", TOOL, (0, 1), _ORIGINAL,
             _FILM, expected="right"),
        Said("schema", "The language of a film is film.language_id, that leads to language.name",
             TOOL, (1,), _LANGUAGE, _FILM, expected="known"),
        Said("procedure", "Perhaps somebody dropped the column by mistake"),
    ), ("language_id",)),
    Task("How many copies do all stores own by now?", (
        "SELECT COUNT(*) FROM inventory",
    ), (
        Said("data_snapshot", "inventory has 4981 rows, one for each copy of a film that the "
             "stores own", TOOL, (0,), ("inventory",)),
        Said("data_snapshot", "inventory has 4981 rows, one for each copy of a film that the "
             "stores own", USER, (0,), ("inventory",), expected="right"),
        Said("schema", "inventory_in_stock(id) is true for a copy without any rental, or if none "
             "of its rentals has return_date NULL", USER, (), ("inventory_in_stock",),
             expected="known"),
    ), ("4981",)),
), "the owner dropped the column film.original_language_id.", (
    "ALTER TABLE film DROP FOREIGN KEY fk_film_language_original",
    "ALTER TABLE film DROP COLUMN original_language_id",
))  # fmt: skip

FIFTH = Round(28, (
    Task("Which customers live in Canada?", (
        "SHOW COLUMNS FROM customer",
        "SHOW COLUMNS FROM address",
        f"SELECT cu.last_name FROM {_LIVES} WHERE co.country = 'Canada' ORDER BY 1",
    ), (
        Said("query_pattern", "The country that a customer lives in: customer joins address by "
             "address_id, city by city_id and country by country_id", TOOL, (0, 1),
             ("customer", "address"), expected="in"),
        Said("data_snapshot", "5 customers live in Canada now"),
    )),
    Task("How much money do late films of category Horror bring?", (
        "SHOW COLUMNS FROM film",
        "SHOW COLUMNS FROM payment",
        "SHOW COLUMNS FROM film_category",
        f"SELECT SUM(p.amount) FROM {_PAID} {_IN_CATEGORY} JOIN film f ON i.film_id = f.film_id"
        " WHERE DATEDIFF(r.return_date, r.rental_date) > f.rental_duration"
        " AND c.name = 'Horror'",
    ), (
        Said("schema", "A rental counts as late if rental.return_date is more than "
             "film.rental_duration days after rental.rental_date", TOOL, (0,), _DURATION,
             expected="known"),
        Said("query_pattern", "A category of films earns SUM(payment.amount): payment joined with "
             "rental by rental_id, inventory by inventory_id, film_category by film_id, category "
             "by category_id", TOOL, (1, 2), ("payment", "film_category"), expected="known"),
        Said("procedure", "All questions are answered, great work"),
    )),
    Task("How many films are out with customers of store 2?", (
        "SHOW COLUMNS FROM rental",
        "SHOW COLUMNS FROM inventory",
        f"SELECT COUNT(*) FROM {_RENTED} WHERE r.return_date IS NULL AND i.store_id = 2",
    ), (
        Said("schema", "A film is still out with its customer as long as rental.return_date is "
             "NULL", TOOL, (0,), _OUT, expected="known"),
        Said("schema", "A row of inventory is a copy of a film; inventory.store_id says which "
             "store has it", TOOL, (1,), _STORE, expected="known"),
    )),
    Task("Which special features does a film have most often?", (
        "SHOW COLUMNS FROM film LIKE 'special_features'",
        "SELECT special_features, COUNT(*) AS films FROM film GROUP BY special_features"
        " ORDER BY films DESC, special_features LIMIT 1",
    ), (
        Said("schema", "film.special_features 是集合，共有4个可能的值：Trailers、Commentaries、"
             "Deleted Scenes、Behind the Scenes", TOOL, (0,), _EXTRAS, expected="known"),
        Said("data_range", "A film has 1 to 4 special features"),
    )),
))  # fmt: skip

SAKILA = Script(
    name="sakila",
    what="Sakila, the sample database of a chain that rents films, in a MariaDB 10.11",
    rounds=(FIRST, SECOND, THIRD, FOURTH, FIFTH),
    last_day=35,
)
