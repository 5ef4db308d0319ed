"""gfactor analyze latent-classes: find groups of respondents that answer alike.

gfactor analyze latent-classes answers.csv --classes 2
gfactor analyze latent-classes c.db --classes 3 --starts 50 --against 1,2,4
gfactor analyze latent-classes survey.sav --columns 'item*' --classes 4 --covariates age,school
"""

from gfactor.cli.tables import by_groups

command = by_groups(
    __doc__,
    "latent_classes",
    {
        "n_classes": "--classes N",
        "against": "--against N,...",
        "starts": "--starts N",
        "covariates": "--covariates COLUMN,...",
    },
    usual="item",
    keep="covariates",
    helps={
        "covariates": "Columns of the table on which the membership in classes depends, by a "
        "multinomial regression that is estimated together with the classes."
    },
)
