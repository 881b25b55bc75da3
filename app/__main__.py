"""`python -m app` and the command `pilotfish`."""

import sys

from app.bootstrap.program import main

if __name__ == "__main__":
    sys.exit(main())
