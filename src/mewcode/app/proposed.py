"""What a project proposes and the user has not agreed to, in a sentence, and how to agree."""

from mewcode.config.proposals import Untrusted
from mewcode.messages import message


def proposed(proposal: Untrusted) -> str:
    """Servers by their names; allow rules, which are agreed to together, by their place alone."""
    return message(f"doctor.untrusted_{proposal.kind}", name=proposal.name, place=proposal.place)


def how_to_agree(proposal: Untrusted) -> str:
    return message(f"doctor.mend_untrusted_{proposal.kind}", name=proposal.name)
