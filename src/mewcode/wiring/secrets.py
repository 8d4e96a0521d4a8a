"""What must never be shown: secret values of the settings, and the providers' keys."""

from mewcode.config import LoadedSettings, secrets_of
from mewcode.governance.redaction import Redactor
from mewcode.wiring.builtins import PROVIDER_KEY_SUFFIXES
from mewcode.wiring.options import AppOptions


def redactor_of(options: AppOptions, loaded: LoadedSettings) -> Redactor:
    keys = (value for name, value in options.environ.items() if name.endswith(PROVIDER_KEY_SUFFIXES))
    return Redactor([*secrets_of(loaded), *keys])
