"""`python -m compile_lint.confirm.worker`: one worker, with its job on standard input."""

from compile_lint.confirm.worker.child import main

if __name__ == "__main__":
    main()
