# Records lavaan's results for options that come last in its manual: covariates taken out first,
# effect coding. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_options.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
mimic <- "u =~ z1 + z2 + z3\nv =~ z4 + z5 + z6\nv ~ u + age\nu ~ age + z9\nz5 ~ z9"
record("conditional_ml", "mediation", "sem", mimic, conditional.x = TRUE)
record("conditional_mlr", "mediation", "sem", mimic, conditional.x = TRUE, estimator = "MLR")
record("conditional_paths", "paths", "sem", "m ~ p*a\ny ~ q*m + r*b + s*a\nindirect := p*q", conditional.x = TRUE)
record("conditional_growth", "growth", "growth", "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4\ni + s ~ w", conditional.x = TRUE, estimator = "MLR")
record("effect_coding", "three_factors", "cfa", cfa3, effect.coding = TRUE, meanstructure = TRUE)
record("effect_coding_loadings", "three_factors", "cfa", cfa3, effect.coding = "loadings", estimator = "MLR")
record("effect_coding_intercepts", "three_factors", "cfa", cfa3, effect.coding = "intercepts", meanstructure = TRUE)
record("effect_coding_groups", "three_factors", "cfa", cfa3, effect.coding = c("loadings", "intercepts"), group = "school", group.equal = c("loadings", "intercepts"), estimator = "MLR")
record("effect_coding_second_order", "hierarchy", "cfa", "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf4 =~ y10 + y11 + y12\ng =~ f1 + f2 + f3 + f4", effect.coding = TRUE, meanstructure = TRUE)

# Bootstrap standard errors: of many resamples, and how lavaan makes them of few.
mediated <- "m ~ p*a\ny ~ q*m + r*b + s*a\nindirect := p*q"
boot <- function(draws, ...) sem(mediated, read("paths"), se = "bootstrap", bootstrap = draws, iseed = 3, ...)
few <- boot(20); many <- boot(4000)
put("bootstrap_se", list(
  software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
  date = as.character(Sys.Date()), sample = "paths", syntax = mediated,
  call = "sem(syntax, paths, se = 'bootstrap', bootstrap = 20 / 4000, iseed = 3)",
  draws = numbers(unname(unclass(lavInspect(few, "boot"))[1:20, ])), vcov = numbers(unname(unclass(vcov(few)))),
  few = columns(parameterEstimates(few)[, c("lhs", "op", "rhs", "est", "se")]),
  many = columns(parameterEstimates(many)[, c("lhs", "op", "rhs", "est", "se", "ci.lower", "ci.upper")])))
