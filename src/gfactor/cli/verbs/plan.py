"""gfactor plan: plan a study: how many items, occasions and models are enough, and their cost.

gfactor plan --aim difference --target 0.05 --known discordant=0.3
gfactor plan pilot.db --aim phi --target 0.8 --try occasion=1,2,3
gfactor plan --aim cfa --known df=100 --try examinee=100,200,400
gfactor plan --aim inflation --target 5 --try reference=10,20,60
gfactor plan pilot.db --aim difference --target 0.05 --prereg plan.md \\
  --declare examinee=openai:gpt-4o --declare bank=bank.parquet

Each design is listed with the value that it reaches, and with its answers, tokens, money and
hours. The cheapest design that reaches the target is marked, and tried on simulated data, which
show the coverage of its interval. docs/planning.md has all formulas.

\b
Aims, the units of their targets, and the names for --known (a pilot gives most of the values):
  se          standard error,    accuracy or sd, domains, cluster_size, icc
              a share of 1
  difference  a share of 1:      discordant (share of items that exactly one solves); or
              0.03 is 3 points   accuracy_first, accuracy_second, correlation (of right answers
                                 over items); or sd_difference, domains, cluster_size, icc;
                                 power, alpha
  phi, e_rho2 the coefficient    (--components, or a pilot)
  alpha       width of interval  alpha, items
  threshold   standard error     sizes, threshold, slope, guess, lapse
  ability     standard error     theta, select (random, best); --calibration
  cfa         power              df, null, alternative, alpha
  ranks       probability        means, r, decided (first, all), alpha
  inflation   percentage points  accuracy, power, alpha,
                                 interaction: standard deviation, in logits, of the difference
                                 between forms that is a model's own (.05 within a benchmark,
                                 .2 between two), item_share: variance of answers that model and
                                 item leave, divided by the variance that the model leaves (.8)
"""

from gfactor.cli.printing import printed
from gfactor.cli.values import NamedValue

HEADING = "Statistics"

command = printed(
    __doc__,
    "plan",
    {
        "pilot": "[PILOT.db]",
        "known": "--known NAME=VALUE...",
        "tries": "--try FACET=N,N...",
        "solve": "--solve FACET",
        "models": "--model NAME",
        "tokens": "--tokens IN,OUT",
        "seconds": "--seconds S",
        "raters": "--rater-cost FACET=X...",
        "declare": "--declare NAME=VALUE...",
    },
    reads={"declare": NamedValue("NAME=VALUE")},
)
