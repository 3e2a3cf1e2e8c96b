"""The compiled core. Import the public names from :mod:`qipai` instead."""
