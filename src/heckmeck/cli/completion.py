"""`heckmeck completion`."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "fish", "zsh")
#: The variable through which the script asks this program for completions.
VARIABLE = "_HECKMECK_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell completion script.

    SHELL is bash, fish or zsh. Load the script when your shell starts:

    \b
      bash  add to ~/.bashrc:  eval "$(heckmeck completion bash)"
      zsh   add to ~/.zshrc:   eval "$(heckmeck completion zsh)"
      fish  run once:          heckmeck completion fish
                               > ~/.config/fish/completions/heckmeck.fish

    \b
    Examples:
      $ heckmeck completion bash
      $ heckmeck completion fish
    """
    script = get_completion_class(shell)
    assert script is not None, "click supports every shell in SHELLS"
    from heckmeck.cli import cli

    click.echo(script(cli, {}, "heckmeck", VARIABLE).source())
