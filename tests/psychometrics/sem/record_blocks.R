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
# Further rotations, of two factors: of three lavaan's searches take minutes each. Not here, as
# lavaan 0.6-14 has other results: cf (the same whatever cf.gamma is), oblique bentler (its search
# ends early) and weights "kaiser" of oblique rotations (their errors take the weights as given).
flat <- list(std.ov = FALSE)
for (name in c("varimax", "mccammon", "oblimax", "infomax"))
  cases <- c(cases, list(list(name, two, "three_factors", flat, rotation = name)))
orthogonal <- c(flat, list(orthogonal = TRUE))
pairwise <- c(flat, list(algorithm = "pairwise"))
turned <- list(
  list("geomin_orthogonal", c(orthogonal, list(geomin.epsilon = 0.01)), "geomin"),
  list("bentler_orthogonal", orthogonal, "bentler"),
  list("infomax_orthogonal", orthogonal, "infomax"),
  list("entropy", pairwise, "entropy"),
  list("tandem1", pairwise, "tandem1"),
  list("tandem2", pairwise, "tandem2"),
  list("oblimin_gamma", c(pairwise, list(oblimin.gamma = -1)), "oblimin"),
  list("quartimax", c(orthogonal, list(algorithm = "pairwise")), "quartimax"),
  list("varimax_none", c(pairwise, list(row.weights = "none")), "varimax")
)
for (one in turned)
  cases <- c(cases, list(list(one[[1]], two, "three_factors", one[[2]], rotation = one[[3]])))
out <- list(software = paste("lavaan", packageVersion("lavaan"), "on", R.version.string),
            date = format(Sys.Date()))
for (case in cases) {
  data <- read.csv(file.path(paths[1], paste0(case[[3]], ".csv")))
  rotation <- c(case[[4]], list(rstarts = 5, gpa.tol = 1e-7))
  more <- case[-(1:4)]
  arguments <- c(list(case[[2]], data, rotation.args = rotation), more)
  tight <- list(rel.tol = 1e-12)
  fit <- suppressWarnings(do.call("sem", c(arguments, list(control = tight))))
  if (!lavInspect(fit, "converged")) fit <- do.call("sem", arguments)
  table <- parameterEstimates(fit)
  if (is.null(table$group)) table$group <- 1
  out[[case[[1]]]] <- list(model = case[[2]], sample = case[[3]], rotation.args = case[[4]],
    options = more, fit = as.list(fitMeasures(fit)[c("npar", "df", "chisq", "cfi", "srmr")]),
    estimates = as.list(table[, c("lhs", "op", "rhs", "group", "est", "se")]))
  write(toJSON(out, auto_unbox = TRUE, digits = 9), paths[2])
  message(case[[1]])
}
