"""`python -m mewcode` is the same program as `mewcode`."""

from mewcode.cli.main import main

if __name__ == "__main__":
    main()
