# Records the bounds that lavaan's bounds = "standard" and "wide" give, and the chi-squares under
# them. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_bounds.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
three <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9\n"
xs <- paste0("x", 1:6)
cases <- list(
  marker = list("cfa", "three_factors", paste0(three, "x1 ~~ x4")),
  std_lv = list("cfa", "three_factors", paste0(three, "x1 ~~ x4"), std.lv = TRUE),
  second_order = list("cfa", "three_factors", paste0(three, "g =~ f1 + f2 + f3")),
  structural = list("sem", "three_factors", paste0(three, "f2 ~ f1\nf3 ~ f1\nf2 ~~ f3"), meanstructure = TRUE),
  observed = list("sem", "three_factors", "f1 =~ x1 + x2 + x3\nx4 ~ f1 + x5\nx6 ~ x4\nx4 ~~ x7"),
  random = list("sem", "three_factors", "x1 ~ x2 + x3\nx4 ~ x1", fixed.x = FALSE),
  fixed_loadings = list("cfa", "three_factors", "f1 =~ 1*x1 + 0.5*x2 + x3 + x4"),
  no_marker = list("cfa", "three_factors", "f1 =~ 2*x1 + x2 + x3 + x4"),
  fixed_variance = list("cfa", "three_factors", "f1 =~ NA*x1 + x2 + x3 + x4\nf1 ~~ 2*f1"),
  text = list("cfa", "three_factors", "f1 =~ x1 + lower(0.5)*x2 + upper(5)*x3 + x4\nx2 ~~ upper(9)*x2"),
  gls = list("cfa", "three_factors", three, estimator = "GLS"),
  wishart = list("cfa", "three_factors", three, likelihood = "wishart"),
  gaps = list("cfa", "with_gaps", three, missing = "ml"),
  groups = list("cfa", "three_factors", three, group = "school"),
  growth = list("growth", "growth", "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4"),
  few = list("cfa", "few", gsub("x", "y", three)),
  ordinal = list("cfa", "ordinal", three, ordered = paste0("x", 1:9)),
  mixed = list("cfa", "ordinal", three, ordered = c("x1", "x2", "x3")))
# Two indicators that correlate negatively with the marker: its residual variance and the variance of
# the latent variable reach their bounds.
against <- matrix(c(1, -.1, -.12, -.1, 1, .5, -.12, .5, 1), 3, dimnames = rep(list(c("a", "b", "c")), 2))
finite <- function(x) lapply(as.list(x), function(v) if (is.finite(v)) signif(v, 10) else NULL)
found <- list()
for (kind in c("standard", "wide")) {
  for (name in names(cases)) {
    one <- cases[[name]]
    given <- one[-(1:3)]
    fit <- suppressWarnings(do.call(one[[1]], c(list(model = one[[3]], data = read(one[[2]]), bounds = kind), given)))
    p <- as.data.frame(parTable(fit)); p <- p[p$free > 0, ]
    found[[paste(name, kind)]] <- list(model_type = one[[1]], sample = one[[2]], syntax = one[[3]],
      arguments = c(given, bounds = kind), lhs = p$lhs, op = p$op, rhs = p$rhs, group = p$group,
      lower = finite(p$lower), upper = finite(p$upper), chisq = numbers(unname(fitMeasures(fit, "chisq"))))
  }
  fit <- cfa("f =~ a + b + c", sample.cov = against, sample.nobs = 100, bounds = kind)
  found[[paste("against", kind)]] <- list(syntax = "f =~ a + b + c", cov = against, n = 100,
    arguments = list(bounds = kind), est = numbers(unname(coef(fit))),
    chisq = numbers(unname(fitMeasures(fit, "chisq"))))
}
put("bounds", list(software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
  date = as.character(Sys.Date()), fits = found))
