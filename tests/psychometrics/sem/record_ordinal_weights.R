# Records lavaan's results of ordinal variables with sampling weights. By hand, after record.py's CSVs
# are in a folder:
#   Rscript tests/psychometrics/sem/record_ordinal_weights.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines) - 1)]))
two <- "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"
six <- paste0("x", 1:6)
record("weighted_wlsmv", "ordinal_weights", "cfa", two, ordered = six, sampling.weights = "weight")
record("weighted_theta", "ordinal_weights", "cfa", two, ordered = six, sampling.weights = "weight",
       parameterization = "theta", estimator = "WLSM")
record("weighted_wls", "ordinal_weights", "cfa", two, ordered = six, sampling.weights = "weight",
       estimator = "WLS")
record("weighted_groups", "ordinal_weights", "cfa", two, ordered = six, sampling.weights = "weight",
       group = "school", group.equal = c("loadings", "thresholds"))
record("weighted_mixed", "ordinal_weights", "cfa", "f =~ x1 + x2 + x3\ng =~ x4 + age + mark",
       ordered = c("x1", "x2", "x3", "x4"), sampling.weights = "weight")
record("weighted_covariates", "ordinal_weights", "sem", "f =~ x1 + x2 + x3\nf ~ age + sex\nmark ~ f + age",
       ordered = c("x1", "x2", "x3"), sampling.weights = "weight")
record("weighted_pairwise", "ordinal_weights_gaps", "cfa", two, ordered = six, sampling.weights = "weight",
       missing = "pairwise")
