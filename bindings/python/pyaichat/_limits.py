"""The limits of a run."""

from __future__ import annotations

from . import _native
from ._check import check_count
from ._record import Record

_DEFAULTS: dict[str, float | None] = {
    "max_steps": 6,
    "step_timeout": 8.0,
    "total_timeout": 20.0,
    "invalid_response_retries": 1,
    "transport_retries": 2,
    "call_timeout": 5.0,
    "max_calls_per_step": 16,
    "max_calls": 64,
    "max_reply_bytes": 16 * 1024,
    "max_image_bytes": 3 * 1024 * 1024,
    "max_images": 8,
    "max_image_bytes_total": 12 * 1024 * 1024,
    "max_tokens_total": 0,
    "max_cost": 0.0,
    "max_recoveries": 3,
    "approval_timeout": None,
    "parallel_reads": 1,
    "max_repeats": 3,
}


class Limits(Record):
    """The limits of one run. Times are in seconds.

    max_steps: model calls, corrective retries included
    step_timeout: one model call, retries of the transport included
    total_timeout: the whole run
    call_timeout: one call of a capability
    max_calls_per_step, max_calls: calls of capabilities
    max_reply_bytes: one reply as the model reads it; 0 = off
    max_image_bytes, max_images, max_image_bytes_total: one image, those of one message, and those of the run; 0 = off
    max_tokens_total: input and output over the run; 0 = off
    max_cost: in US dollars over the run; 0 = off. The model needs a price: see `Price`
    max_recoveries: of a run in a journal, after crashes of the program
    approval_timeout: for the decision about a call that waits for a person; None = no limit
    parallel_reads: coroutines with effects "read" that may run beside each other
    max_repeats: of a call with the same result; 0 = off
    invalid_response_retries, transport_retries: 0 = none

    >>> Limits(max_steps=3).max_steps
    3
    """

    __slots__ = tuple(_DEFAULTS)
    _defaults: dict[str, object] = dict(_DEFAULTS)
    max_steps: int
    step_timeout: float
    total_timeout: float
    invalid_response_retries: int
    transport_retries: int
    call_timeout: float
    max_calls_per_step: int
    max_calls: int
    max_reply_bytes: int
    max_image_bytes: int
    max_images: int
    max_image_bytes_total: int
    max_tokens_total: int
    max_cost: float
    max_recoveries: int
    approval_timeout: float | None
    parallel_reads: int
    max_repeats: int

    def __init__(self, **members: float | None) -> None:
        super().__init__(**members)
        for name, value in self._members().items():
            default = _DEFAULTS[name]
            if value is None and default is None:
                continue
            if isinstance(default, int):
                wide = "bytes" in name or "tokens" in name
                check_count(name, value, least=0 if wide else -(2**31), most=2**63 - 1 if wide else 2**31 - 1)
            elif isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"{name} is a number, not {value!r}")
            elif isinstance(value, int):  # which may be larger than any float
                check_count(name, value, least=-(2**63), most=2**63)
        _native.check_limits(self._members())
