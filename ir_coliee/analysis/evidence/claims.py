"""The claims of a tort instance aligned with its undisputed facts: the pilot."""

from __future__ import annotations

import pandas as pd

from ir_coliee.analysis.evidence.alignment import aligned, cut, marked, notes_on_cut
from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.text.cues import negations


def claims(pair: Pair) -> Evidence:
    """Align the claims of a tort instance with its undisputed facts.

    Parameters
    ----------
    pair : Pair
        A query and an item of the pilot: a label of tort prediction, for which all claims are aligned, or the claim of
        rationale extraction.

    Returns
    -------
    Evidence
        A row for each claim: its party, whether the court accepted it, and the share of its tokens and phrases that the
        facts have. For the claim of an item, its text and the facts have the shared phrases marked.
    """
    language, instance = pair.runs.split.language, pair.query
    facts = cut("\n".join(instance.undisputed_facts))
    accepted = {claim.doc_id: value for claim, value in zip(instance.claims, instance.accepted)}
    chosen = [claim for claim in instance.claims if claim.doc_id == pair.doc_id] or instance.claims
    rows = [
        {
            "claim": claim.doc_id,
            "party": {"p": "plaintiff", "d": "defendant"}[claim.side],
            "accepted": {True: "yes", False: "no", None: ""}[accepted[claim.doc_id]],
            **aligned(cut(claim.text), facts, language),
            "negations": negations(cut(claim.text), language),
        }
        for claim in chosen
    ]
    texts = marked(("claim", cut(chosen[0].text)), ("facts", facts), language) if len(chosen) == 1 else ()
    return Evidence(
        "claims",
        "Claims and undisputed facts",
        {"undisputed facts": len(instance.undisputed_facts), "claims": len(instance.claims)},
        pd.DataFrame(rows),
        texts,
        notes_on_cut("\n".join(instance.undisputed_facts), *(claim.text for claim in chosen)),
    )
