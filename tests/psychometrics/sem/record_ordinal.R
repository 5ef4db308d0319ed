# Records lavaan's results for ordinal variables that record.R does not cover. By hand, after
# record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_ordinal.R CSVS tests/psychometrics/sem/recorded_ordinal
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
xs <- paste0("x", 1:9)
sem3 <- paste0(cfa3, "\nf2 ~ a*f1\nf3 ~ b*f2\nx1 ~~ x4\nind := a*b")
record("ord_wlsm", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSM")
record("ord_ulsmv", "ordinal", "cfa", cfa3, ordered = xs, estimator = "ULSMV")
record("ord_wls", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLS")
record("ord_wlsmvs", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMVS")
record("ord_sem", "ordinal", "sem", sem3, ordered = xs, estimator = "WLSMV")
record("ord_mixed", "ordinal", "cfa", cfa3, ordered = xs[1:6], estimator = "WLSMV")
record("ord_mixed_groups", "ordinal", "cfa", cfa3, ordered = xs[1:6], estimator = "WLSMV",
       group = "school", group.equal = "loadings")
record("ord_groups_wlsm", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSM", group = "school")
record("ord_groups_strict", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMV",
       group = "school", group.equal = c("loadings", "thresholds", "residuals"),
       parameterization = "theta")
