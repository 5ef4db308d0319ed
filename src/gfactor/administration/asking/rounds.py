"""Presentation of an item in several rounds: each turn is asked alone, after the earlier turns.

MULTI (section 4.2) shows models that take one image at a time an item's segments as rounds of a
conversation. So the examinee's own reply to a turn stands between that turn and the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from gfactor.examinees import FAILED, Examinee, RenderedItem, Reply
from gfactor.items.formats import TURN_END

Keep = Callable[[int, Reply], Awaitable[bool]]
"""Function that stores the reply to an earlier turn (from 0); the next turn is asked when it
returns. It returns False if another process has stored a reply to that turn."""


def converses(examinee: Examinee, rendered: RenderedItem) -> bool:
    """Return True if an item has earlier turns and the examinee takes part in them.

    Observers and baselines, who do not converse, get all turns at once.
    """
    return bool(rendered.earlier) and getattr(examinee, "converses", False)


async def converse(
    examinee: Examinee, rendered: RenderedItem, answered: Sequence[Reply], keep: Keep
) -> Reply | None:
    """Ask every turn not answered before; return the last reply, with the cost of all turns.

    None if another process has taken over the conversation.

    If several turns are scored (`rendered.asked`), the returned text holds the replies to all of
    these, with `TURN_END` between them. Usage, cost and time are sums over all turns. A turn that
    fails, or whose reply a content filter withholds, ends the conversation with that outcome; the
    turns before it are kept.

    Parameters
    ----------
    answered: the replies to the first turns that are known from an earlier run.
    keep: called with every further reply to an earlier turn.
    """
    replies = list(answered[: len(rendered.earlier)])
    for turn in range(len(replies), len(rendered.earlier)):
        reply = await examinee(
            replace(
                rendered,
                content=rendered.earlier[turn],
                earlier=rendered.earlier[:turn],
                replies=tuple(r.text for r in replies),
            )
        )
        if reply.outcome in FAILED or reply.outcome == "content_filter":
            where = f"turn {turn + 1} of {len(rendered.earlier) + 1}: "
            return _with_costs(replace(reply, detail=f"{where}{reply.detail}"), replies)
        if not await keep(turn, reply):
            return None
        replies.append(reply)
    last = await examinee(replace(rendered, replies=tuple(r.text for r in replies)))
    if rendered.asked > 1 and last.outcome not in FAILED:
        scored = [r.text.replace(TURN_END, " ") for r in (*replies, last)[-rendered.asked :]]
        last = replace(last, text=TURN_END.join(scored))
    return _with_costs(last, replies)


def _with_costs(last: Reply, before: Sequence[Reply]) -> Reply:
    all_turns = (*before, last)
    usage: Counter[str] = Counter()
    for reply in all_turns:
        usage.update(reply.usage)
    costs = [reply.cost for reply in all_turns if reply.cost is not None]
    return replace(
        last,
        usage=dict(usage),
        cost=sum(costs) if costs else None,
        latency_s=sum(reply.latency_s for reply in all_turns),
    )
