# Records lavaan's results for ordinal variables with missing answers, pair by pair. By hand, after
# record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_pairwise.R CSVS tests/psychometrics/sem/recorded_ordinal
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
gaps <- "ordinal_gaps"
xs <- paste0("x", 1:6)
two <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
record("pair_wlsmv", gaps, "cfa", two, ordered = xs, missing = "pairwise")
record("pair_wls_available", gaps, "cfa", two, ordered = xs, missing = "available.cases", estimator = "WLS")
record("pair_mixed", gaps, "cfa", "f1 =~ x1 + x2 + x3\nf2 =~ x7 + mark8 + mark9", ordered = c(xs[1:3], "x7"), missing = "pairwise")
record("pair_groups", gaps, "cfa", two, ordered = xs, missing = "pairwise", group = "school", group.equal = c("loadings", "thresholds"))
record("pair_covariate", gaps, "sem", paste0(two, "\nf1 ~ age\nf2 ~ f1"), ordered = xs, missing = "pairwise")
record("pair_listwise", gaps, "cfa", two, ordered = xs)
