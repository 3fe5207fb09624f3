"""`python -m evalkit` is `evalkit`, in whatever environment that Python belongs to."""

from evalkit.cli.main import main

if __name__ == "__main__":
    main()
