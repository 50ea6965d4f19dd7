"""What is written in another of a language's spellings is found, by a prompt and by a search."""

from pathlib import Path

import pytest

from learnt.core.tokens import words
from tests.support.homes import throwaway

SPELT = {
    "traditional": ("資料庫死鎖導致發票遷移失敗", "资料库死锁导致发票迁移失败"),
    "umlauts": (
        "Die Größenprüfung der Aufträge schlägt bei Überweisungen fehl",
        "Die Groessenpruefung der Auftraege schlaegt bei Ueberweisungen fehl",
    ),
    "greek": (
        "Η ΣΎΝΔΕΣΗ ΤΗΣ ΒΑΣΗΣ ΔΕΔΟΜΕΝΩΝ ΔΙΑΚΟΠΤΕΤΑΙ ΣΤΟΥΣ ΠΕΛΑΤΕΣ",
        "η σύνδεση της βάσης δεδομένων διακόπτεται στους πελάτες",
    ),
    "turkish": (
        "IŞIK SENSÖRÜ BAĞLANTISI SIFIRLAMA SIRASINDA ARIZALANIYOR İKİ KEZ",
        "ışık sensörü bağlantısı sıfırlama sırasında arızalanıyor iki kez",
    ),
}


@pytest.mark.parametrize(("kept", "asked"), SPELT.values(), ids=SPELT)
def test_another_spelling_has_the_same_words(kept: str, asked: str) -> None:
    """Whichever of the two was kept."""
    assert words(kept) == words(asked)


@pytest.mark.parametrize(("kept", "asked"), SPELT.values(), ids=SPELT)
def test_a_note_is_found_in_another_spelling(kept: str, asked: str, tmp_path: Path) -> None:
    """A prompt's hook tells it as a search does."""
    with throwaway(tmp_path) as home:
        home.remember(problem=kept, approach="Restart the third replica")

        assert "third replica" in home.told(asked)
        assert "third replica" in home.here("recall", asked).output
