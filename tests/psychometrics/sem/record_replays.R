# Records lavaan's results where options meet: likelihoods, mimicry, least squares in groups,
# incomplete data with covariates. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_replays.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
three <- "three_factors"
equal <- c("loadings", "intercepts")
growth <- "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4"
labels <- "f1 =~ x1 + a*x2 + a*x3\nf2 =~ x4 + b*x5 + c*x6\nf3 =~ x7 + x8 + x9\nb == 2*c - 0.9"
record("replay_wishart_mlr", three, "cfa", cfa3, estimator = "MLR", likelihood = "wishart")
record("replay_wishart_groups", three, "cfa", cfa3, likelihood = "wishart", group = "school")
record("replay_mplus_mlm", three, "cfa", cfa3, estimator = "MLM", mimic = "Mplus")
record("replay_mplus_gls", three, "cfa", cfa3, estimator = "GLS", mimic = "Mplus")
record("replay_mplus_wls", three, "cfa", cfa3, estimator = "WLS", mimic = "Mplus")
record("replay_groups_ulsmv", three, "cfa", cfa3, estimator = "ULSMV", group = "school", group.equal = equal)
record("replay_groups_gls", three, "cfa", cfa3, estimator = "GLS", group = "school", group.equal = equal)
record("replay_continuous_wlsmv", three, "cfa", cfa3, estimator = "WLSMV")
record("replay_labels_mlr", three, "cfa", labels, estimator = "MLR")
record("replay_yuan_bentler", three, "cfa", cfa3, test = "yuan.bentler")
record("replay_saturated_mlmv", three, "cfa", "f1 =~ x1 + x2 + x3", estimator = "MLMV")
record("replay_fiml_expected", "with_gaps", "cfa", cfa3, missing = "ml", information = "expected")
record("replay_fiml_covariates", "with_gaps", "sem", "f2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9\nf2 ~ x1 + x2\nf3 ~ f2 + x1", missing = "ml")
record("replay_pairwise", "with_gaps", "cfa", cfa3, missing = "pairwise")
record("replay_gls_covariate", "mediation", "sem", "u =~ z1 + z2 + z3\nv =~ z4 + z5 + z6\nv ~ u + age", estimator = "GLS", fixed.x = TRUE)
record("replay_time_varying", "growth", "growth", paste0(growth, "\ni + s ~ w\nt2 ~ w"))
