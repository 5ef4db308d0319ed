# Records lavaan's Wald tests. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_wald.R CSVS tests/psychometrics/sem/recorded
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines) - 1)]))

model <- "f1 =~ x1 + a*x2 + b*x3\nf2 =~ x4 + c*x5 + d*x6\nf1 ~~ r*f2\nratio := a/c"
tested <- function(sample, constraints, ...) {
  arguments <- list(...)
  fit <- polished("cfa", c(list(model = model, data = read(sample)), arguments))
  test <- lavTestWald(fit, constraints = constraints)
  list(sample = sample, syntax = model, arguments = arguments, constraints = constraints,
       stat = numbers(test$stat), df = test$df, p = numbers(test$p.value))
}
ordinal <- paste0("x", 1:6)
put("wald", list(
  software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
  date = as.character(Sys.Date()), call = "lavTestWald(cfa(syntax, sample, ...), constraints)",
  cases = list(
    tested("three_factors", "a == b\nc == d"),
    tested("three_factors", "a == b\nc == d", estimator = "MLR"),
    tested("three_factors", "a*c == 1\nr == 0.2", estimator = "MLR"),
    tested("three_factors", "ratio == 1"),
    tested("with_gaps", "a == c", missing = "ml"),
    tested("ordinal", "a == b\nb == c", ordered = ordinal))))
