"""What must never be shown: secret values of the settings, and the providers' keys."""

from mewcode.app.builtins import PROVIDER_KEY_SUFFIXES
from mewcode.app.options import AppOptions
from mewcode.config import LoadedSettings, secrets_of
from mewcode.governance.redaction import Redactor


def redactor_of(options: AppOptions, loaded: LoadedSettings) -> Redactor:
    keys = (value for name, value in options.environ.items() if name.endswith(PROVIDER_KEY_SUFFIXES))
    return Redactor([*secrets_of(loaded), *keys])
