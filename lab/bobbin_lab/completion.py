# SPDX-License-Identifier: Apache-2.0
"""What the shells' completions offer: the lab's commands and their options."""

from __future__ import annotations

import typer

# The word by which `bobbin` asks.
ASKED = "__complete"


def complete(app: typer.Typer, words: list[str]) -> None:
    """Prints what may stand in the place of the last word, with a tab and what it means."""
    lab = typer.main.get_command(app)
    commands = getattr(lab, "commands", {})
    typed = words[-1]
    if len(words) == 1:
        offered = {name: command.get_short_help_str() for name, command in commands.items()}
    elif typed.startswith("-") and words[0] in commands:
        offered = {
            option: getattr(parameter, "help", None) or ""
            for parameter in commands[words[0]].params
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("-")
        } | {"--help": "show the options"}
    else:
        print(":file")
        return
    for word, meaning in offered.items():
        if word.startswith(typed):
            print(f"{word}\t{meaning.splitlines()[0] if meaning else ''}")
