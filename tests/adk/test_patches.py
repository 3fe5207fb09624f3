"""Replacements that are undone in reverse order, also of classes that are made while they stand."""

import inspect

import pytest

from evalkit.adk.patches import Patches


class Base:
    def speak(self):
        return "base"


class Child(Base):
    def speak(self):
        return f"child of {super().speak()}"


class Quiet(Base):
    pass


def louder(original):
    def speak(self):
        return f"{original(self)}!"

    return speak


def test_a_wrapped_method_calls_the_original_and_looks_like_it():
    with Patches() as patches:
        patches.wrap(Base, "speak", louder)
        assert Base().speak() == "base!"
        assert Base.speak.__qualname__ == "Base.speak"
    assert Base().speak() == "base"


def test_an_attribute_that_was_not_there_is_gone_again():
    with Patches() as patches:
        patches.set(Quiet, "speak", lambda _: "hush")
        assert Quiet().speak() == "hush"
    assert "speak" not in vars(Quiet)
    assert Quiet().speak() == "base"


def test_replacements_of_one_name_are_undone_in_reverse_order():
    original = Base.speak
    with Patches() as patches:
        patches.wrap(Base, "speak", louder)
        patches.wrap(Base, "speak", louder)
        assert Base().speak() == "base!!"
    assert Base.speak is original


def test_a_family_is_wrapped_in_each_class_that_defines_the_method_itself():
    with Patches() as patches:
        patches.wrap_family(Base, "speak", louder)
        assert (Base().speak(), Child().speak(), Quiet().speak()) == ("base!", "child of base!!", "base!")
        assert "speak" not in vars(Quiet)
    assert Child().speak() == "child of base"


def test_a_class_that_is_made_later_is_wrapped_and_keeps_its_own_afterwards():
    with Patches() as patches:
        patches.wrap_family(Base, "speak", louder)

        class Late(Child):
            def speak(self):
                return "late"

        assert Late().speak() == "late!"
    assert Late().speak() == "late"
    assert "__init_subclass__" not in vars(Base)


def test_a_class_with_options_for_its_subclasses_still_gets_them():
    class Options:
        def __init_subclass__(cls, *, flag=None, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.flag = flag

        def speak(self):
            return "options"

    own = inspect.getattr_static(Options, "__init_subclass__")
    with Patches() as patches:
        patches.wrap_family(Options, "speak", louder)

        class Late(Options, flag=3):
            def speak(self):
                return "late"

        assert (Late.flag, Late().speak()) == (3, "late!")
    assert inspect.getattr_static(Options, "__init_subclass__") is own


def test_everything_is_undone_after_an_exception():
    def fail():
        with Patches() as patches:
            patches.wrap(Base, "speak", louder)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert Base().speak() == "base"
