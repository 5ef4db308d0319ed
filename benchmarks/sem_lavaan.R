# Times lavaan on the data and models that benchmarks/sem.py wrote; prints JSON, seconds of processor time per call.
# Usage: Rscript sem_lavaan.R FOLDER REPEATS
suppressMessages({library(lavaan); library(jsonlite)})
given <- commandArgs(trailingOnly = TRUE)
folder <- given[1]
repeats <- as.integer(given[2])
cases <- fromJSON(file.path(folder, "cases.json"), simplifyDataFrame = FALSE)
out <- list(version = as.character(packageVersion("lavaan")), R = as.character(getRversion()))
spent <- function(expr) sum(system.time(expr)[c("user.self", "sys.self")])
for (case in cases) {
  data <- read.csv(file.path(folder, case$data))
  fitted <- function() suppressWarnings(do.call("cfa", c(list(case$model, data = data), case$lavaan)))
  times <- measures <- numeric(0)
  for (k in seq_len(repeats)) {
    times <- c(times, spent(fit <- fitted()))
    converged <- lavInspect(fit, "converged")
    if (converged) {
      measures <- c(measures, spent(suppressWarnings({
        fitMeasures(fit)
        parameterEstimates(fit, standardized = TRUE)
      })))
    }
  }
  chisq <- fit@test$standard$stat
  out[[case$name]] <- list(seconds = median(times),
                           more = if (length(measures)) median(measures) else NA,
                           chisq = if (is.null(chisq)) NA else chisq, converged = converged)
}
cat(toJSON(out, auto_unbox = TRUE, digits = NA, na = "null"), "\n")
