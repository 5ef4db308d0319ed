"""A bank on a hub."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.reports.exchange.dataset import BankDataset, write_dataset


def push_bank(
    bank: BankLike,
    repo: str,
    *,
    path: Path | str | None = None,
    private: bool = True,
    endpoint: str | None = None,
    write_only: bool = False,
) -> BankDataset:
    """Publish a bank on the Hugging Face hub: its files, card, citation, Croissant and `eval.yaml`.

    The token is read from `hf auth login` or the environment variable HF_TOKEN. The repository is
    made if it does not exist; all files go into one commit.

    Parameters
    ----------
    bank : ItemBank or path
        Bank to publish; it must be complete, not a part of another one.
    repo : str
        Name of the data set, "ORGANIZATION/NAME".
    path : path, optional
        Folder in which the files are kept; it must be empty or missing. By default they are
        deleted after the upload.
    private : bool
        True to make a new repository private, because published answer keys get into the training
        data of models.
    endpoint : str, optional
        Address of another hub than huggingface.co.
    write_only : bool
        Write the files to `path` and upload nothing.

    Returns
    -------
    BankDataset
        `files`, `questions` (number of items that `eval.yaml` describes), `left_out` (number of
        those that it cannot describe) and `url`.

    Raises
    ------
    ParameterError
        If the bank is a part of another one, the name is not of the form "ORGANIZATION/NAME", the
        folder is not empty, or the hub refuses the upload.
    MissingExtraError
        If `pip install 'gfactor[hub]'` is needed.

    References
    ----------
    Hugging Face hub: data set cards, `eval.yaml`; Citation File Format 1.2.0; Croissant 1.1.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1], path="pv.parquet")
    >>> done = gf.push_bank(bank, "an-institute/circles", path="hub/", write_only=True)
    >>> done.questions, len(gf.open_bank("hub/data"))
    (10, 10)
    """
    opened = as_bank(bank)
    if path is not None:
        written = write_dataset(opened, Path(path), repo)
        return written if write_only else _pushed(written, repo, private, endpoint)
    if write_only:
        raise ParameterError("with write_only nothing is uploaded, so name a folder to write to")
    with tempfile.TemporaryDirectory(prefix="gfactor-") as folder:
        written = write_dataset(opened, Path(folder) / "dataset", repo)
        return _pushed(written, repo, private, endpoint)


def _pushed(written: BankDataset, repo: str, private: bool, endpoint: str | None) -> BankDataset:
    try:
        from huggingface_hub import HfApi  # noqa: PLC0415  (an extra)
        from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("pushing a bank", "hub") from error
    # Its bases are what the client's HTTP library raises, in each of its versions another.
    refusals: tuple[type[BaseException], ...] = HfHubHTTPError.__bases__
    api = HfApi(endpoint=endpoint, library_name="gfactor")
    try:
        url = api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        api.upload_folder(
            repo_id=repo,
            repo_type="dataset",
            folder_path=written.folder,
            commit_message="A bank of gfactor",
        )
    except (*refusals, ValueError) as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise ParameterError(
            f"the hub did not take {repo!r}: {reason}; is the name right, and did "
            "`hf auth login` store a token that may write?"
        ) from error
    return dataclasses.replace(written, url=str(url))
