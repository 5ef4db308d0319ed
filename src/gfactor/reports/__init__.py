"""Reports: tables, figures, and one self-contained page.

A table is a file in `tables/`, a figure a file in `figures/`, drawn from tables that are exported
beside it; both register by a decorator and are found by themselves.
"""

from gfactor.reports.answers.error_labels import read_error_labels
from gfactor.reports.answers.model_facts import read_model_facts
from gfactor.reports.answers.results import Results
from gfactor.reports.figure_registry import FIGURES, Figure, figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis
from gfactor.reports.table_registry import TABLES, Table, make_tables, table
from gfactor.reports.writing.report_folder import Written, write_report

__all__ = [
    "FIGURES",
    "TABLES",
    "AnalysisReport",
    "Figure",
    "Results",
    "Table",
    "Written",
    "figure",
    "make_tables",
    "read_error_labels",
    "read_model_facts",
    "table",
    "write_analysis",
    "write_report",
]
