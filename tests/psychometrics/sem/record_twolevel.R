# Records lavaan's results of two-level models. By hand, after record.py's CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_twolevel.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model; levels stand where groups stand.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines) - 1)]))

by_block <- function(x, block) {
  x$group <- ifelse(is.na(block), 0, as.integer(block))
  x
}
parTable <- function(fit) { x <- lavaan::parTable(fit); by_block(x, x$block) }
parameterEstimates <- function(fit, ...) { x <- lavaan::parameterEstimates(fit, ...); by_block(x, x$block) }
standardizedSolution <- function(fit, ...) {
  x <- lavaan::standardizedSolution(fit, ...)
  table <- lavaan::parTable(fit)
  by_block(x, table$block[seq_len(nrow(x))])
}
# Newton steps on differences of lavaan's gradient polish a fit (its Hessian has another unit for two
# levels). lavaan's unrestricted moments come from EM steps that end early whatever the options say,
# so that its chi-squares are right to four or five digits: the exact ones are those of the
# unrestricted model fitted as a model, which is polished, too.
slopes_at <- function(fit, x) as.numeric(lavaan:::lav_model_gradient(
  lavaan:::lav_model_set_parameters(fit@Model, x), lavsamplestats = fit@SampleStats, lavdata = fit@Data))
bends_at <- function(fit, x) sapply(seq_along(x), function(k) {
  h <- replace(numeric(length(x)), k, 1e-5)
  (slopes_at(fit, x + h) - slopes_at(fit, x - h)) / 2e-5
})
polished <- function(fun, arguments) {
  fit <- do.call(fun, arguments)
  arguments$fixed.x <- fit@Options$fixed.x # start values flip its default
  K <- free_directions(fit)
  x <- lavaan:::lav_model_get_parameters(fit@Model)
  for (round in 1:4) {
    step <- K %*% solve(t(K) %*% bends_at(fit, x) %*% K, t(K) %*% slopes_at(fit, x))
    x <- x - as.numeric(step)
  }
  table <- lavaan::parTable(fit)
  table$ustart[table$free > 0] <- x
  arguments$model <- table[setdiff(names(table), c("start", "est", "se"))]
  do.call(lavaan, c(arguments, list(optim.method = "none", check.gradient = FALSE)))
}

saturated <- function(names, means) {
  pairs <- outer(names, names, paste, sep = " ~~ ")
  free <- if (length(means)) paste(means, "~ 1")
  paste(c(pairs[lower.tri(pairs, diag = TRUE)], free), collapse = "\n")
}
saturated_levels <- function(fit, group) {
  names <- lapply(2 * group - 1:0, function(block) lavNames(fit, "ov", block = block))
  paste0("level: 1\n", saturated(names[[1]], setdiff(names[[1]], names[[2]])),
         "\nlevel: 2\n", saturated(names[[2]], names[[2]]))
}
exact_chisq <- function(syntax, data, ...) {
  random <- polished("sem", list(model = syntax, data = data, ..., fixed.x = FALSE))
  groups <- lavInspect(random, "group.label")
  text <- if (length(groups) == 0) saturated_levels(random, 1) else
    paste0("group: ", groups, "\n", sapply(seq_along(groups), function(g) saturated_levels(random, g)), collapse = "\n")
  whole <- polished("sem", list(model = text, data = data, ...))
  2 * (as.numeric(logLik(whole)) - as.numeric(logLik(random)))
}
put_file <- put
put <- function(name, result) put_file(name, c(result, list(exact_chisq = numbers(exact))))
record_levels <- function(name, syntax, ..., sample = "two_levels") {
  arguments <- list(...)
  arguments$fixed.x <- NULL
  exact <<- do.call(exact_chisq, c(list(syntax, read(sample)), arguments))
  record(name, sample, "sem", syntax, ...)
}

one <- "level: 1\nfw =~ y1 + y2 + y3\nfw ~ x1\nlevel: 2\nfb =~ y1 + y2 + y3\nfb ~ funds"
two <- "level: 1\nfw =~ y1 + a*y2 + b*y3\ngw =~ y4 + y5 + y6\nlevel: 2\nfb =~ y1 + a*y2 + b*y3\ngb =~ y4 + y5 + y6"
both <- "level: 1\nfw =~ y1 + y2 + y3\nfw ~ x1 + x2\nlevel: 2\nfb =~ y1 + y2 + y3\nfb ~ x2\ngrade ~ p*fb + funds"
slopes <- "level: 1\ny4 ~ y1 + x1\nx1 ~ y2\nlevel: 2\ny4 ~ p*y1 + funds\ny1 ~ q*funds\nindirect := p*q"
record_levels("twolevel_ml", one, cluster = "school")
record_levels("twolevel_mlr", two, cluster = "school", estimator = "MLR")
# MLR of lavaan 0.6-14 has other errors where a variable of level 2 alone is an outcome; the scores of
# clusters are proven by brute force in test_two_levels.py.
record_levels("twolevel_both", both, cluster = "school", fixed.x = FALSE)
record_levels("twolevel_paths", slopes, cluster = "school", fixed.x = FALSE)
record_levels("twolevel_scaled", one, cluster = "school", fixed.x = FALSE, std.lv = TRUE)

# Values missing at both levels, and two groups: lavaan 0.6-14 takes groups only if the text has the
# levels of each, in the order of the data. Where values are missing, its robust errors fail, and
# moments of fixed covariates are start values. Where parameters are equal across groups it ends away
# from the maximum: with regions(two) at a log-likelihood of -10989.23134, which is -10989.22696 at
# the estimates of gfactor.
record_levels("twolevel_gaps", two, cluster = "school", missing = "ml", sample = "two_levels_gaps")
record_levels("twolevel_gaps_both", both, cluster = "school", missing = "ml", fixed.x = FALSE,
              sample = "two_levels_gaps")
regions <- function(text) paste0("group: ", c("north", "south"), "\n", text, collapse = "\n")
record_levels("twolevel_groups", regions(one), cluster = "school", group = "region",
              sample = "two_levels_groups")

# Factor scores. With a variable of level 2 alone lavaan 0.6-14 has other scores of that level than the
# expectation given the data; those are proven by brute force in test_two_levels.py.
pupils <- "level: 1\nfw =~ y1 + y2 + y3\nfw ~ x1 + x2\nlevel: 2\nfb =~ y1 + y2 + y3\nfb ~ x2"
scores_of <- function(syntax) {
  fit <- polished("sem", list(model = syntax, data = read("two_levels"), cluster = "school", fixed.x = FALSE))
  first <- function(level) numbers(as.matrix(lavPredict(fit, level = level))[1:8, , drop = FALSE])
  list(syntax = syntax, latent = lapply(1:2, function(level) as.list(lavNames(fit, "lv", level = level))),
       within = first(1), between = first(2))
}
put_file("twolevel_scores", list(
  software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
  date = as.character(Sys.Date()),
  call = "lavPredict(sem(syntax, two_levels, cluster = \"school\", fixed.x = FALSE), level), first eight rows",
  cases = lapply(c(two, pupils), scores_of)))
