"""Commands that refuse an option given twice, if it takes one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import click

from gfactor.cli.suggestions import suggest_option
from gfactor.errors import ParameterError

_FEWEST_CHOICES = 2


class OnceCommand(click.Command):
    """A command that refuses an option given twice, of which click would silently use the last."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return self._parsed(ctx, args)
        except click.NoSuchOption as error:
            names = [name for one in self.get_params(ctx) for name in one.opts]
            hint = suggest_option(error.option_name, names, ctx.command_path)
            raise ParameterError(f"No such option {error.option_name!r}; {hint}") from error
        except click.MissingParameter as error:
            choices = str(error.param.metavar or "").split("|") if error.param else []
            if len(choices) < _FEWEST_CHOICES or error.param in (None, *self._options(ctx)):
                raise
            raise ParameterError(
                f"{ctx.command_path} needs one of the words {', '.join(choices[:-1])} or "
                f"{choices[-1]}"
            ) from error

    def _options(self, ctx: click.Context) -> list[click.Parameter]:
        return [one for one in self.get_params(ctx) if isinstance(one, click.Option)]

    def _parsed(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(list(args))
            for option, times in Counter(order).items():
                if times > 1 and isinstance(option, click.Option) and _takes_one(option):
                    raise ParameterError(_refusal(option, times))
        return super().parse_args(ctx, args)

    spelled: Callable[[str], str] | None = None
    """The name of an option as it is typed, by its name in Python."""

    def invoke(self, ctx: click.Context) -> Any:
        from gfactor.api.inputs.calls import as_flag, command_call

        with command_call(self.spelled or as_flag):
            return super().invoke(ctx)


def _takes_one(option: click.Option) -> bool:
    return not (option.multiple or option.is_flag or option.count)


def _refusal(option: click.Option, times: int) -> str:
    name = max(option.opts, key=len)
    message = f"{name} is given {times} times, and only the last would count"
    if str(option.metavar).endswith(",..."):
        return (
            f"{message}; join what belongs together by commas ({name} {option.metavar}), or call "
            "the command once for each"
        )
    return f"{message}; leave one out"
