"""`python -m gfactor`: the command line, if the program `gfactor` is not on the path."""

from gfactor.cli import main

if __name__ == "__main__":
    main()
