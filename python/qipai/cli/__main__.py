"""``python -m qipai.cli`` is the command line."""

import sys

from qipai.cli import main

sys.exit(main())
