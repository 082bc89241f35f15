"""The texts: none is missing in a language, placeholders agree, and the keys that are used are those that exist."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import compile_lint
from compile_lint.report_page.catalogue import LANGUAGES, Catalogue, texts

PACKAGE = Path(compile_lint.__file__).parent
USERS = ("report_page", "decision", "cli")
ENGLISH = texts("en")
SECTIONS = {key.partition(".")[0] for key in ENGLISH}
KEY = re.compile(r"[a-z][\w-]*(\.[\w-]+)+")


def _placeholders(text):
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def _strings(path):
    """Every string of a module, and of a template every key that it asks for."""
    if path.suffix != ".py":
        return set(re.findall(r"\bt\('([^']*)'", path.read_text(encoding="utf-8")))
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found


def _used():
    """Keys that code and templates name, and the beginnings of those that they put together (`f"verdict.{x}"`)."""
    files = [path for user in USERS for path in (PACKAGE / user).rglob("*") if path.suffix in (".py", ".html", ".md")]
    strings = {one for path in files for one in _strings(path)}
    return {one for one in strings if one.partition(".")[0] in SECTIONS and " " not in one}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_missing_or_empty(language):
    found = texts(language)
    assert found.keys() == ENGLISH.keys()
    assert [key for key, text in found.items() if not text.strip()] == []


@pytest.mark.parametrize("key", ENGLISH)
def test_placeholders_agree_and_are_plain_names(key):
    names = _placeholders(ENGLISH[key])
    assert all(name.isidentifier() for name in names)
    assert all(_placeholders(texts(language)[key]) == names for language in LANGUAGES)


def test_one_and_many_come_in_pairs():
    stems = {key.rpartition(".")[0] for key in ENGLISH if key.endswith((".one", ".many"))}
    assert all(f"{stem}.{form}" in ENGLISH for stem in stems for form in ("one", "many"))


def test_every_key_that_is_used_exists():
    counted = {key.rpartition(".")[0] for key in ENGLISH if key.endswith((".one", ".many"))}
    whole = {key for key in _used() if KEY.fullmatch(key)}
    assert whole - ENGLISH.keys() - counted == set()


def test_every_key_is_used():
    used = _used()
    begun = tuple(key for key in used if key.endswith("."))
    left = {key for key in ENGLISH if not key.startswith(begun)}
    left -= used | {f"{key}.{form}" for key in used for form in ("one", "many")}
    assert left == set()


def test_values_are_filled_in_once():
    catalogue = Catalogue("en")
    assert catalogue.text("verdict.go") == "Go"
    assert "verdict.go" in catalogue and "verdict.nothing" not in catalogue
    with pytest.raises(KeyError, match=r"verdict\.nothing"):
        catalogue.text("verdict.nothing")


def test_only_languages_that_there_are():
    with pytest.raises(ValueError, match="'fr'"):
        Catalogue("fr")
