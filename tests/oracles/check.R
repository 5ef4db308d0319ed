# Make every recorded lavaan call again and compare it with the recording: run by hand, needs R.
#
#   Rscript tests/oracles/check.R
#
# A recording holds the call, the model text and the options that lavaan resolved. The call is
# evaluated with its model and data in place of the names that it used. Recordings were polished by
# Newton steps (gradient below 2e-15), so a fresh call agrees to the optimizer's tolerance only.
suppressMessages({ library(lavaan); library(jsonlite) })
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE)))

data_of <- function(path, case) {
  if (!is.null(case$data_file)) return(read.csv(file.path(here, "lavaan", case$data_file)))
  if (grepl("m3gia", path)) return(read.csv(file.path(here, "m3gia", sprintf("human_z_%s.csv", case$language))))
  given <- fromJSON(file.path(here, "lavaan", "Thurstone_cor.json"))$cor
  values <- given$values
  dimnames(values) <- list(given$rownames, given$colnames)
  values
}

worst <- 0
paths <- c(Sys.glob(file.path(here, "lavaan", "*.json")), Sys.glob(file.path(here, "m3gia", "refit_*.json")))
for (path in paths) {
  case <- fromJSON(path, simplifyVector = FALSE)
  if (is.null(names(case)) || is.null(case$call) || is.null(case$syntax)) next
  call <- parse(text = case$call)[[1]]
  data <- data_of(path, case)
  call[[2]] <- case$syntax
  if ("sample.cov" %in% names(call)) call$sample.cov <- data
  else if ("data" %in% names(call)) call$data <- data
  else call[[3]] <- data
  if (!is.null(call$ordered)) call$ordered <- paste0("x", 1:9)
  fit <- tryCatch(suppressWarnings(eval(call)), error = function(e) e)
  if (inherits(fit, "error")) {
    cat(sprintf("%-40s lavaan: %s\n", basename(path), conditionMessage(fit)))
    next
  }
  recorded <- case$fit_measures$chisq
  ours <- tryCatch(if (lavInspect(fit, "converged")) fitMeasures(fit, "chisq")[["chisq"]] else NA, error = function(e) NA)
  if (is.null(recorded) || is.na(ours)) {
    cat(sprintf("%-40s not converged, or recorded without a chi-square\n", basename(path)))
    next
  }
  gap <- abs(ours - recorded) / recorded
  worst <- max(worst, gap)
  if (gap > 1e-6) cat(sprintf("%-40s chi-square %.8f, recorded %.8f\n", basename(path), ours, recorded))
}
cat(sprintf("lavaan %s, R %s, %s: %d files, largest relative difference of a chi-square %.1e\n",
            packageVersion("lavaan"), getRversion(), Sys.Date(), length(paths), worst))
