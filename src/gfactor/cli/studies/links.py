"""gfactor study links: make signed links, for participants or to somebody's results.

gfactor study links study/ people.csv --public-url https://lab.example/study -o links.csv
gfactor study links study/ --results p7h3kq9xw2 --public-url https://lab.example/study
gfactor study links study/ --resume p7h3kq9xw2 --public-url https://lab.example/study
"""

from collections.abc import Sequence
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put_texts
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

SPELLED = {"participants": "[CSV]", "path": "-o CSV", "codes": "--results CODE",
           "people": "--resume CODE"}  # fmt: skip


@derived(__doc__, "study.links", SPELLED, reads={"participants": PATH}, optional=["participants"],
         twins=["study.result_links", "study.resume_links"])  # fmt: skip
def command(
    codes: Sequence[str] = (), people: Sequence[str] = (), *, as_json: bool, **given: Any
) -> None:
    """Make links for participants: to take part, to see results, or to continue.

    Parameters
    ----------
    codes : sequence of str
        Code of a participant: the link shows their answers beside the right ones, for 30 days.
    people : sequence of str
        Code or id of a participant, who can continue with the link where they stopped, on any
        device, for 30 days. "all" makes links for everybody who has begun and not finished.
    """
    wanted = {
        "study.links": given["participants"], "study.result_links": codes,
        "study.resume_links": people,
    }  # fmt: skip
    functions = [function for function, of_whom in wanted.items() if of_whom]
    if len(functions) != 1:
        raise ParameterError(
            "name one of these: a CSV file of participants, a code with --results, a code with "
            "--resume"
        )
    given |= {"codes": codes, "people": None if "all" in people else people}
    table = called(functions[0], given, "is for links of a CSV file of participants")
    put_texts("study.texts.linked", table, as_json, path=given["path"])
