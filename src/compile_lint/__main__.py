"""`python -m compile_lint`."""

from compile_lint.cli import main

if __name__ == "__main__":
    main()
