"""What commands and stdio servers are kept away from by the operating system: bubblewrap, Landlock or Seatbelt.

`open_sandbox` gives the sandbox that the settings ask for; it is a `CommandLauncher`. docs/sandbox.md says what each
kind holds.
"""

from mewcode.workspace.sandbox.confinement import Confinement
from mewcode.workspace.sandbox.detect import Kind, SandboxStatus, detect
from mewcode.workspace.sandbox.sandbox import Mode, Sandbox, open_sandbox

__all__ = ["Confinement", "Kind", "Mode", "Sandbox", "SandboxStatus", "detect", "open_sandbox"]
