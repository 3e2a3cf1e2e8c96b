"""The games as environments of other libraries, each an extra of the package.

:mod:`qipai.envs.pettingzoo`, :mod:`qipai.envs.openspiel` and :mod:`qipai.envs.gymnasium`. Nothing
is imported before one of them is.
"""
