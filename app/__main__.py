"""`python -m app` and the command `pilotfish`."""

import sys

from app.bootstrap import main

if __name__ == "__main__":
    sys.exit(main())
