# Records lavaan's exploratory blocks, efa(), on samples of tests/support/sem_samples.py. By hand,
# after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_blocks.R CSVS tests/psychometrics/sem/recorded_blocks.json
suppressMessages({library(lavaan); library(jsonlite)})
paths <- commandArgs(trailingOnly = TRUE)
three <- 'efa("b")*f1 + efa("b")*f2 + efa("b")*f3 =~ x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9'
two <- 'efa("b")*f1 + efa("b")*f2 =~ x1 + x2 + x3 + x4 + x5 + x6'
predicting <- paste0(two, "\ng =~ x7 + x8 + x9\ng ~ f1 + f2")
cases <- list(
  list("geomin", three, "three_factors", list(std.ov = FALSE, geomin.epsilon = 0.01)),
  list("geomin_standardized", three, "three_factors", list(geomin.epsilon = 0.01)),
  list("oblimin", three, "three_factors", list(std.ov = FALSE), rotation = "oblimin"),
  list("oblimin_standardized", three, "three_factors", list(), rotation = "oblimin"),
  list("incomplete", two, "with_gaps", list(std.ov = FALSE), rotation = "oblimin", missing = "ml"),
  list("robust", two, "three_factors", list(std.ov = FALSE), rotation = "oblimin", estimator = "MLR"),
  list("groups", two, "three_factors", list(std.ov = FALSE), rotation = "oblimin", group = "school"),
  list("predicting", predicting, "three_factors", list(std.ov = FALSE), rotation = "oblimin"),
  list("predicted", paste0(two, "\nf1 + f2 ~ weight"), "designed", list(), rotation = "oblimin")
)
# Further rotations. Their optima are local, so that each search has 30 starts.
flat <- list(std.ov = FALSE)
for (name in c("varimax", "quartimax", "equamax", "parsimax", "entropy", "mccammon", "tandem1",
               "tandem2", "oblimax", "bentler", "infomax"))
  cases <- c(cases, list(list(name, three, "three_factors", flat, rotation = name)))
turned <- list(
  list("geomin_orthogonal", c(flat, list(orthogonal = TRUE, geomin.epsilon = 0.01)), "geomin"),
  list("bentler_orthogonal", c(flat, list(orthogonal = TRUE)), "bentler"),
  list("infomax_orthogonal", c(flat, list(orthogonal = TRUE)), "infomax"),
  list("cf_orthogonal", c(flat, list(orthogonal = TRUE, cf.gamma = 0.3)), "cf"),
  list("cf_oblique", c(flat, list(cf.gamma = 0.1)), "cf"),
  list("oblimin_gamma", c(flat, list(oblimin.gamma = -1)), "oblimin"),
  list("oblimin_kaiser", c(flat, list(row.weights = "kaiser")), "oblimin"),
  list("quartimax_none", c(flat, list(row.weights = "none")), "quartimax"),
  list("varimax_none", c(flat, list(row.weights = "none")), "varimax")
)
for (one in turned)
  cases <- c(cases, list(list(one[[1]], three, "three_factors", one[[2]], rotation = one[[3]])))
out <- list(software = paste("lavaan", packageVersion("lavaan"), "on", R.version.string),
            date = format(Sys.Date()))
for (case in cases) {
  data <- read.csv(file.path(paths[1], paste0(case[[3]], ".csv")))
  rotation <- c(case[[4]], list(rstarts = 30, gpa.tol = 1e-7))
  more <- case[-(1:4)]
  arguments <- c(list(case[[2]], data, rotation.args = rotation), more)
  tight <- list(rel.tol = 1e-12)
  fit <- suppressWarnings(do.call("sem", c(arguments, list(control = tight))))
  if (!lavInspect(fit, "converged")) fit <- do.call("sem", arguments)
  weights <- lavInspect(fit, "options")$rotation.args$row.weights
  table <- parameterEstimates(fit)
  if (is.null(table$group)) table$group <- 1
  out[[case[[1]]]] <- list(model = case[[2]], sample = case[[3]], rotation.args = case[[4]], row.weights = weights,
    options = more, fit = as.list(fitMeasures(fit)[c("npar", "df", "chisq", "cfi", "srmr")]),
    estimates = as.list(table[, c("lhs", "op", "rhs", "group", "est", "se")]))
  write(toJSON(out, auto_unbox = TRUE, digits = 9), paths[2])
  message(case[[1]])
}
