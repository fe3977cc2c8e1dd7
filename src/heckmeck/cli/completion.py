"""`heckmeck completion`."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "fish", "zsh")
#: The variable with which the script asks this program what a line can become.
VARIABLE = "_HECKMECK_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script with which a shell completes commands, options and files.

    Load it where your shell starts:

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
    assert script is not None, "click knows the shells of SHELLS"
    from heckmeck.cli import cli

    click.echo(script(cli, {}, "heckmeck", VARIABLE).source())
