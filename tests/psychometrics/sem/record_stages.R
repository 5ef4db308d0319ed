# Records lavaan's results for two-stage estimation, tests of incomplete cases, orthogonal parts, and
# what is computed after a fit: residuals, scores, modification indices. By hand, after record.py's
# CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_stages.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model, with two options more.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
source_lines <- sub('"orthogonal", "fixed.x"', '"orthogonal", "orthogonal.x", "orthogonal.y", "fixed.x"', source_lines)
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
gaps <- "with_gaps"
record("stages", gaps, "cfa", cfa3, missing = "two.stage")
record("stages_robust", gaps, "cfa", cfa3, missing = "robust.two.stage")
record("stages_groups", gaps, "cfa", cfa3, missing = "two.stage", group = "school", group.equal = "loadings")
record("stages_expected", gaps, "cfa", cfa3, missing = "robust.two.stage", information = "expected")
record("gaps_yuan_bentler", gaps, "cfa", cfa3, missing = "ml", se = "robust.huber.white", test = "yuan.bentler")
record("gaps_yuan_bentler_unstructured", gaps, "cfa", cfa3, missing = "ml", se = "robust.huber.white", test = "yuan.bentler", information = "expected", h1.information = "unstructured")
record("orthogonal_x", "hierarchy", "sem", "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf3 ~ f1 + f2", orthogonal.x = TRUE)
record("orthogonal_y", "hierarchy", "sem", "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf2 + f3 ~ f1", orthogonal.y = TRUE)

square <- function(x) numbers(unname(unclass(x)))
mimic <- "u =~ z1 + z2 + z3\nv =~ z4 + z5 + z6\nv ~ u + age\nu ~ age"
after <- function(sample, fun, syntax, ...) {
  fit <- polished(fun, list(model = syntax, data = read(sample), ...))
  left <- function(type) square(residuals(fit, type = type)$cov)
  indices <- modindices(fit)
  list(sample = sample, model_type = fun, syntax = syntax, arguments = list(...), names = lavNames(fit, "ov"),
       normalized = left("normalized"), standardized = left("standardized"),
       indices = columns(indices[, c("lhs", "op", "rhs", "mi", "epc", "sepc.lv", "sepc.all")]),
       latent = lavNames(fit, "lv"),
       scores = lapply(c(regression = "regression", bartlett = "Bartlett"), function(m) square(lavPredict(fit, method = m)[1:8, , drop = FALSE])))
}
put("after_fits", list(
  software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
  date = as.character(Sys.Date()),
  call = "residuals(fit, type), modindices(fit), lavPredict(fit, method) of the fits named",
  fits = list(ml = after("three_factors", "cfa", cfa3), mlr = after("three_factors", "cfa", cfa3, estimator = "MLR"),
    mlm = after("three_factors", "cfa", cfa3, estimator = "MLM"), gls = after("three_factors", "cfa", cfa3, estimator = "GLS"),
    wls = after("three_factors", "cfa", cfa3, estimator = "WLS"),
    gaps = after(gaps, "cfa", cfa3, missing = "ml"), gaps_mlr = after(gaps, "cfa", cfa3, missing = "ml", estimator = "MLR"),
    covariates = after("mediation", "sem", mimic),
    second_order = after("hierarchy", "cfa", "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf4 =~ y10 + y11 + y12\ng =~ f1 + f2 + f3 + f4"))))
