"""Durations, shares and counts in words and figures."""

from __future__ import annotations

from ir_coliee.progress.activities import Status


def duration(seconds: float) -> str:
    """Return a duration with its units.

    Examples
    --------
    >>> duration(0.71), duration(14.2), duration(84), duration(3900)
    ('0.7 s', '14 s', '1 min 24 s', '1 h 5 min')
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def clock(seconds: float) -> str:
    """Return a duration as on a clock.

    Examples
    --------
    >>> clock(12.3), clock(3900)
    ('00:12', '1:05:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def figures(now: Status) -> str:
    """Return the figures that follow a bar: steps, elapsed and remaining time.

    Examples
    --------
    >>> figures(Status(("n-grams",), "", 1200, 3600, "documents", 12.0, 24.0))
    '1,200/3,600 documents [00:12<00:24]'
    >>> figures(Status(("fitting",), "", None, None, "", 5.0, None))
    '[00:05]'
    """
    times = clock(now.elapsed) + ("" if now.remaining is None else f"<{clock(now.remaining)}")
    count = "" if now.done is None else f"{now.done:,}" + (f"/{now.total:,}" if now.total else "")
    return " ".join(part for part in (count, now.unit, f"[{times}]") if part)


def sentence(now: Status) -> str:
    """Return the status as a line of a log.

    Examples
    --------
    >>> sentence(Status(("2 of 6: n-grams",), "indexing", 1200, 3600, "documents", 12.0, 24.0))
    '2 of 6: n-grams, indexing: 33 %, 1,200 of 3,600 documents, 12 s, about 24 s left'
    >>> sentence(Status(("2 of 6: n-grams",), "", None, None, "", 12.0, None))
    '2 of 6: n-grams: 12 s so far'
    """
    facts = []
    if now.done is not None and now.total:
        facts += [f"{percentage(now)} %", f"{now.done:,} of {now.total:,} {now.unit}".rstrip()]
    elif now.done:
        facts += [f"{now.done:,} {now.unit}".rstrip()]
    if now.remaining is None:
        facts.append(f"{duration(now.elapsed)} so far")
    else:
        facts += [duration(now.elapsed), f"about {duration(now.remaining)} left"]
    return f"{now.name}: {', '.join(facts)}"


def percentage(now: Status) -> int:
    """Return the share of the steps that are done, rounded down, in [0, 100]; 0 if it is not known.

    Examples
    --------
    >>> percentage(Status(("n-grams",), "", 1199, 1200, "documents", 12.0, 24.0))
    99
    """
    return min(100 * now.done // now.total, 100) if now.total and now.done else 0
