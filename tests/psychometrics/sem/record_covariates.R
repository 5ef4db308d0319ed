# Records lavaan's results for ordinal variables with covariates that are taken out first, its
# default. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_covariates.R CSVS tests/psychometrics/sem/recorded_ordinal
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
covariates <- "ordinal_covariates"
mimic <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf1 ~ age + sex\nf2 ~ a*f1 + age\nx2 ~ age\nind := a*2"
mixed <- "f1 =~ x1 + x2 + x3\nf1 ~ age + sex\nmark ~ f1 + age"
mediator <- "x2 ~ a*age + sex\nx4 ~ b*x2 + age\nind := a*b"
xs <- paste0("x", 1:6)
record("cov_mimic", covariates, "sem", mimic, ordered = xs)
record("cov_mimic_theta", covariates, "sem", mimic, ordered = xs, parameterization = "theta")
record("cov_mimic_wls", covariates, "sem", mimic, ordered = xs, estimator = "WLS")
record("cov_mimic_ulsmv", covariates, "sem", mimic, ordered = xs, estimator = "ULSMV")
record("cov_mixed", covariates, "sem", mixed, ordered = xs[1:3])
record("cov_groups", covariates, "sem", "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf1 ~ age\nf2 ~ age",
       ordered = xs, group = "school", group.equal = c("loadings", "thresholds"))
record("cov_probit", covariates, "sem", "x4 ~ age + sex + mark", ordered = "x4")
record("cov_mediator", covariates, "sem", mediator, ordered = c("x2", "x4"), parameterization = "theta")
