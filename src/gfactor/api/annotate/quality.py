"""Quality of annotations: known responses, annotators, comments, consensus, records."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.items.table_files import read_frame
from gfactor.parameters import Draws, NonNegative, Seed
from gfactor.psychometrics.classical.agreement import Consensus
from gfactor.scoring.exporting import write_csv
from gfactor.studies.annotation import Project
from gfactor.studies.annotation.comments import comments_table
from gfactor.studies.annotation.quality import annotators_table, consensus_of, set_gold
from gfactor.studies.annotation.records import read_records, write_records


def gold(folder: Path | str, table: pd.DataFrame | Path | str) -> int:
    """Set the right category of some responses; annotators see it after they label the response.

    These responses are mixed with the others and are not marked. The first label of each person
    counts for their accuracy.

    Parameters
    ----------
    folder : path
        Folder of the project.
    table : DataFrame or path
        Table with a row per response: its number in the column `response`, or the columns `item`,
        `examinee` and `condition`; its `category`; and optionally `why` (Markdown), an explanation
        that is shown with the category.

    Returns
    -------
    int
        Number of responses in the table, whose category is known now.

    Raises
    ------
    ParameterError
        If a response is not in the project; the message names the row, and nothing is changed.
    UnknownNameError
        If a category is not in the project's scheme.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["baseline:constant"], journal="c.db")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> _ = gf.annotate.responses("workspace", journal, per_examinee=4, seed=1)
    >>> wrong = gf.score(journal).responses.query("correct == 0").head(0)
    >>> gf.annotate.gold("workspace", wrong.assign(item=[], category=[]))
    0
    """
    given = table if isinstance(table, pd.DataFrame) else read_frame(table)
    return set_gold(Project.open(Path(folder)), given)


def annotators(folder: Path | str) -> pd.DataFrame:
    """Report each annotator's progress, time, agreement and accuracy on known responses.

    Parameters
    ----------
    folder : path
        Folder of the project.

    Returns
    -------
    DataFrame
        A row per annotator: number of `drafts` and of assigned `items`; number of `labels` and of
        `responses` to label; median `draft_seconds` and `label_seconds`; `gold` (number of labeled
        responses whose category is known) with `gold_accuracy`, `gold_low` and `gold_high`
        (Wilson, 95 %); and `alike`, the share of `pairs` of labels in which the annotator agrees
        with others on the same response.

    Raises
    ------
    ParameterError
        If the folder holds no project.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> _ = gf.annotate.invite("workspace", ["first", "second"])
    >>> gf.annotate.annotators("workspace")["annotator"].tolist()
    ['first', 'second']
    """
    return annotators_table(Project.open(Path(folder)))


def comments(folder: Path | str, *, path: Path | str | None = None) -> pd.DataFrame:
    """List the comments on items and responses, with author and time.

    Parameters
    ----------
    folder : path
        Folder of the project.
    path : path, optional
        CSV file to which the comments are written.

    Returns
    -------
    DataFrame
        A row per comment, oldest first: `on` ("item" or "response"), `response`, `item`,
        `annotator`, `comment`, `created`.

    Raises
    ------
    ParameterError
        If the folder holds no project.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> len(gf.annotate.comments("workspace"))
    0
    """
    table = comments_table(Project.open(Path(folder)))
    if path is not None:
        check_writable(Path(path))
        write_csv(table, Path(path))
    return table


def consensus(
    folder: Path | str,
    what: str = "category",
    *,
    prior: NonNegative = 0.5,
    n_bootstrap: Draws = 200,
    seed: Seed = 0,
    path: Path | str | None = None,
) -> Consensus:
    """Estimate the consensus of annotators, weighted by their reliability (Dawid and Skene).

    Parameters
    ----------
    folder : path
        Folder of the project.
    what : {"category", "difficulty", "quality", "dropped", "type", "key"}
        Kind of judgment: "category" (of responses), or "difficulty", "quality", "dropped", "type"
        or "key" of items ("key" is whether annotators left the answer key unchanged).
    prior : float
        Pseudo-count that is added to every category when prevalences and error rates are
        estimated; 0 for maximum likelihood.
    n_bootstrap : int
        Number of bootstrap samples for standard errors and intervals.
    seed : int
        Seed of the bootstrap samples.
    path : path, optional
        CSV file to which a row per unit is written.

    Returns
    -------
    Consensus
        `units` (with majority and consensus), `raters` (with their accuracy), `errors` (of each
        rater) and `prevalence` (of each category).

    Raises
    ------
    ParameterError
        If fewer than two people gave a judgment, or all judgments are equal.
    UnknownNameError
        For an unknown kind of judgment.

    References
    ----------
    Dawid, A. P., Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using
    the EM algorithm. Applied Statistics 28, 20-28.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> gf.annotate.consensus("workspace")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gfactor.errors.ParameterError: a consensus needs labels from two people, but nobody ...
    """
    project = Project.open(Path(folder))
    agreed = consensus_of(project, what, prior=prior, n_bootstrap=n_bootstrap, seed=seed)
    if path is not None:
        check_writable(Path(path))
        write_csv(agreed.units.reset_index(), Path(path))
    return agreed


def records(
    folder: Path | str,
    format: str,
    *,
    write: Path | str | None = None,
    read: Path | str | None = None,
) -> int:
    """Write the responses with labels as records of another program, or read labels from these.

    Parameters
    ----------
    folder : path
        Folder of the project.
    format : {"label-studio", "argilla"}
        "label-studio" (all labels, with the labeling interface as NAME.xml) or "argilla" (the last
        label of each person).
    write : path, optional
        The JSON file to write.
    read : path, optional
        The JSON file to read.

    Returns
    -------
    int
        Number of records written, or of new labels read.

    Raises
    ------
    ParameterError
        If both or neither are given, or the file holds no such records.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> gf.annotate.records("workspace", "argilla", write="records.json")
    0
    """
    project = Project.open(Path(folder))
    if (write is None) == (read is None):
        raise ParameterError(
            "give one file: either one to write records to, or one to read records from"
        )
    if write is not None:
        return write_records(project, Path(write), format)
    return read_records(project, Path(str(read)), format)
