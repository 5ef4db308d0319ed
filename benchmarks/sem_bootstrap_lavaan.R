# Times lavaan's bootstrap on what benchmarks/sem_bootstrap.py wrote; prints JSON, seconds of processor time.
# Usage: Rscript sem_bootstrap_lavaan.R FOLDER RESAMPLES
suppressMessages({library(lavaan); library(jsonlite)})
given <- commandArgs(trailingOnly = TRUE)
folder <- given[1]
resamples <- as.integer(given[2])
cases <- fromJSON(file.path(folder, "cases.json"), simplifyDataFrame = FALSE)
out <- list(version = as.character(packageVersion("lavaan")))
for (case in cases) {
  data <- read.csv(file.path(folder, case$data))
  fit <- suppressWarnings(cfa(case$model, data = data, std.lv = case$std_lv, se = "none"))
  set.seed(1)
  spent <- system.time(draws <- suppressWarnings(
    bootstrapLavaan(fit, R = resamples, type = case$type, FUN = coef)))
  lost <- length(setdiff(attr(draws, "error.idx"), 0))
  complete <- if (is.matrix(draws)) sum(stats::complete.cases(draws)) else 0
  out[[case$name]] <- list(seconds = sum(spent[c("user.self", "sys.self")]),
                           failed = max(lost, resamples - complete))
}
cat(toJSON(out, auto_unbox = TRUE, digits = NA), "\n")
