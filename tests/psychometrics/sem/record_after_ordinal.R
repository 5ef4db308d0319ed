# Records what lavaan and semTools compute after fits of ordinal variables: modification indices,
# with and without covariates that are taken out first, and reliability (Green and Yang). By hand,
# after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_after_ordinal.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
suppressMessages(library(semTools))
two <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
xs <- paste0("x", 1:6)
cases <- list(
  plain = list("cfa", two, list(ordered = xs)),
  mimic = list("sem", paste0(two, "\nf1 ~ age + sex\nf2 ~ f1 + age"), list(ordered = xs)),
  direct = list("sem", paste0(two, "\nf1 ~ age + sex\nf2 ~ age\nx2 ~ age"), list(ordered = xs)),
  theta = list("sem", paste0(two, "\nf1 ~ age + sex\nf2 ~ f1 + age"),
               list(ordered = xs, parameterization = "theta")),
  wls = list("sem", paste0(two, "\nf1 ~ age"), list(ordered = xs, estimator = "WLS")),
  groups = list("sem", paste0(two, "\nf1 ~ age\nf2 ~ age"), list(ordered = xs, group = "school")))
fits <- list()
data <- read("ordinal_covariates")
for (name in names(cases)) {
  one <- cases[[name]]
  fit <- polished(one[[1]], c(list(model = one[[2]], data = data), one[[3]]))
  indices <- modindices(fit)
  fits[[name]] <- list(model_type = one[[1]], syntax = one[[2]], sample = "ordinal_covariates",
                       arguments = one[[3]], indices = columns(as.data.frame(unclass(indices))))
  if (name == "plain") {
    fits[[name]]$omega <- as.list(numbers(compRelSEM(fit, obs.var = FALSE)))
    fits[[name]]$omega_observed <- as.list(numbers(compRelSEM(fit)))
    fits[[name]]$ave <- as.list(numbers(AVE(fit)))
  }
}
chain <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9\nf3 ~ f1 + f2"
fit <- polished("sem", list(model = chain, data = read("three_factors")))
put("after_ordinal", list(software = paste("lavaan", packageVersion("lavaan"), "semTools", packageVersion("semTools")),
  date = as.character(Sys.Date()), fits = fits,
  predicted = list(syntax = chain, sample = "three_factors", omega = as.list(numbers(compRelSEM(fit))),
                   ave = as.list(numbers(AVE(fit))))))
