"""The stages of the gate, one file each, in this order: record, resolve, validate, permit, admit, shape, begin, run."""

from mewcode.governance.stages.admit import Admit
from mewcode.governance.stages.permit import Permit
from mewcode.governance.stages.record import Begin, Record
from mewcode.governance.stages.resolve import Resolve
from mewcode.governance.stages.run import Run
from mewcode.governance.stages.shape import Shape
from mewcode.governance.stages.validate import Validate

__all__ = ["Admit", "Begin", "Permit", "Record", "Resolve", "Run", "Shape", "Validate"]
