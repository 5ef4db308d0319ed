# Records lavaan's results on the samples of tests/support/sem_samples.py; started by record.py.
# Arguments: folder of the CSVs, folder of the JSON files.
suppressMessages({library(lavaan); library(jsonlite)})
paths <- commandArgs(trailingOnly = TRUE)
read <- function(name) read.csv(file.path(paths[1], paste0(name, ".csv")))

# lavaan stops at about six digits. Newton steps on its own gradient and Hessian go to the bottom;
# a model with nonlinear or inequality constraints keeps the optimiser's result.
free_directions <- function(fit) {
  if (fit@Model@eq.constraints) fit@Model@eq.constraints.K else diag(length(lavTech(fit, "gradient")))
}
polished <- function(fun, arguments) {
  tight <- list(rel.tol = 1e-15, x.tol = 1e-15, iter.max = 10000, eval.max = 20000)
  if (!is.null(arguments$bounds)) return(do.call(fun, arguments))
  fit <- suppressWarnings(do.call(fun, c(arguments, list(control = tight))))
  if (!lavInspect(fit, "converged")) fit <- do.call(fun, arguments)
  free <- fit@Model@ceq.nonlinear.idx
  if (length(free) > 0 || nrow(fit@Model@con.jac) > length(fit@Model@ceq.linear.idx)) return(fit)
  K <- free_directions(fit)
  # Start values flip lavaan's default of fixed.x.
  if (length(lavNames(fit, "ov.x")) > 0) {
    arguments$fixed.x <- fit@Options$fixed.x
    if (fit@Options$conditional.x) arguments$conditional.x <- TRUE
  }
  for (round in 1:6) {
    table <- parTable(fit)
    now <- t(K) %*% as.numeric(lavTech(fit, "gradient"))
    step <- K %*% solve(t(K) %*% lavTech(fit, "hessian") %*% K, now)
    table$est[table$free > 0] <- table$est[table$free > 0] - as.numeric(step)
    arguments$start <- table[table$free > 0, c("lhs", "op", "rhs", "group", "est")]
    next_fit <- suppressWarnings(do.call(fun, c(arguments, list(optim.method = "none", check.gradient = FALSE))))
    if (max(abs(t(K) %*% as.numeric(lavTech(next_fit, "gradient")))) > max(abs(now), 1e-9)) break
    fit <- next_fit
  }
  fit
}

numbers <- function(x) if (is.null(x)) NULL else signif(unclass(x), 12)
columns <- function(frame) lapply(as.list(frame), function(x) if (is.numeric(x)) numbers(x) else x)

record <- function(name, sample, fun, syntax, ..., scores = FALSE, indices = FALSE,
                   released = FALSE) {
  cat(name, "")
  data <- read(sample)
  arguments <- list(...)
  fit <- polished(fun, c(list(model = syntax, data = data), arguments))
  options <- lavInspect(fit, "options")
  kept <- c("estimator", "se", "test", "missing", "information", "observed.information",
            "h1.information", "mimic", "likelihood", "meanstructure", "std.lv", "std.ov",
            "orthogonal", "fixed.x", "conditional.x", "effect.coding", "bounds", "group.equal", "group.partial", "parameterization")
  polish <- if (max(abs(lavTech(fit, "gradient") %*% free_directions(fit))) < 1e-9) "Newton" else "none"
  table <- parTable(fit)
  std <- standardizedSolution(fit, type = "std.all")
  if (is.null(std$group)) std$group <- ifelse(std$op %in% c(":=", "==", "<", ">"), 0, 1)
  lv <- standardizedSolution(fit, type = "std.lv", se = FALSE)
  estimates <- parameterEstimates(fit, remove.eq = FALSE, remove.system.eq = FALSE,
                                  remove.ineq = FALSE, remove.def = FALSE, ci = TRUE)
  if (is.null(estimates$group)) estimates$group <- ifelse(estimates$op %in% c(":=", "==", "<", ">"), 0, 1)
  key <- function(x) paste(x$lhs, x$op, x$rhs, if (is.null(x$group)) 1 else x$group)
  implied <- if (scores) lavInspect(fit, "implied") else NULL
  result <- list(
    software = paste("lavaan", packageVersion("lavaan"), "on R", getRversion(), "(Debian 12)"),
    date = as.character(Sys.Date()),
    call = paste0(fun, "(", paste(c("syntax", sample, paste(names(arguments), sapply(arguments, deparse), sep = " = ")), collapse = ", "), ")"),
    model_type = fun, sample = sample, syntax = syntax,
    arguments = lapply(arguments, function(x) x),
    options = options[kept],
    nobs = lavInspect(fit, "nobs"), converged = lavInspect(fit, "converged"),
    polish = polish, gradient = max(abs(lavTech(fit, "gradient") %*% free_directions(fit))),
    partable = columns(table[, c("lhs", "op", "rhs", "user", "group", "free", "ustart", "exo", "label")]),
    estimates = columns(estimates[, intersect(c("lhs", "op", "rhs", "group", "est", "se", "z", "pvalue", if (scores) c("ci.lower", "ci.upper")), names(estimates))]),
    standardized = list(lhs = std$lhs, op = std$op, rhs = std$rhs, group = std$group,
                        est = numbers(std$est.std), se = numbers(std$se), lv = numbers(lv$est.std)),
    fit = as.list(numbers(fitMeasures(fit))),
    implied = if (!is.null(implied)) list(names = rownames(implied$cov), cov = numbers(unclass(implied$cov)), mean = numbers(as.numeric(implied$mean))))
  if (scores) {
    new <- data[1:6, ]; for (v in lavNames(fit)) if (is.numeric(new[[v]])) new[[v]] <- round(rev(new[[v]]) + 0.1, 4)
    result$scores <- list(names = lavNames(fit, "lv"),
      regression = numbers(lavPredict(fit)[1:8, , drop = FALSE]),
      bartlett = numbers(lavPredict(fit, method = "Bartlett")[1:8, , drop = FALSE]),
      new = columns(new[, lavNames(fit)]),
      new_regression = numbers(lavPredict(fit, newdata = new)),
      new_bartlett = numbers(lavPredict(fit, newdata = new, method = "Bartlett")))
  }
  if (indices) {
    mi <- modindices(fit); mi <- mi[order(-mi$mi), ]; mi <- mi[seq_len(min(40, nrow(mi))), ]
    result$indices <- columns(mi[, intersect(c("lhs", "op", "rhs", "group", "mi", "epc", "sepc.lv", "sepc.all", "sepc.nox"), names(mi))])
  }
  if (released) {
    test <- lavTestScore(fit, epc = FALSE)
    result$released <- list(total = columns(test$test[, c("X2", "df", "p.value")]),
                            single = columns(test$uni[, c("lhs", "op", "rhs", "X2", "df", "p.value")]))
  }
  put(name, result)
  invisible(fit)
}
put <- function(name, result) writeLines(toJSON(result, auto_unbox = TRUE, digits = NA, na = "null", null = "null"),
                                         file.path(paths[2], paste0(name, ".json")))

cfa3 <- "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
record("cfa_ml", "three_factors", "cfa", cfa3, meanstructure = TRUE, scores = TRUE, indices = TRUE)
record("cfa_mlr", "three_factors", "cfa", cfa3, estimator = "MLR", meanstructure = TRUE)
record("cfa_mlm", "three_factors", "cfa", cfa3, estimator = "MLM")
record("cfa_mlmv", "three_factors", "cfa", cfa3, estimator = "MLMV")
record("cfa_gls", "three_factors", "cfa", cfa3, estimator = "GLS")
record("cfa_uls", "three_factors", "cfa", cfa3, estimator = "ULS")
record("cfa_wls", "three_factors", "cfa", cfa3, estimator = "WLS")
record("cfa_wishart", "three_factors", "cfa", cfa3, likelihood = "wishart")
record("cfa_observed", "three_factors", "cfa", cfa3, information = "observed", std.lv = TRUE)
record("cfa_mplus", "three_factors", "cfa", cfa3, estimator = "MLR", mimic = "Mplus")
record("cfa_stdlv", "three_factors", "cfa", cfa3, std.lv = TRUE, estimator = "MLR")
record("cfa_orthogonal", "three_factors", "cfa", cfa3, orthogonal = TRUE)
record("cfa_residuals", "three_factors", "cfa", paste0(cfa3, "\nx7 ~~ x8"), estimator = "MLR", indices = TRUE)
record("labels", "three_factors", "cfa", "f1 =~ x1 + a*x2 + a*x3\nf2 =~ x4 + b*x5 + c*x6\nf3 =~ x7 + x8 + x9\nx1 ~~ v*x1\nx2 ~~ v*x2\nb == 2*c - 0.9", released = TRUE)
record("nonlinear", "three_factors", "cfa", "f1 =~ x1 + a*x2 + b*x3\nf2 =~ x4 + c*x5 + x6\na == b^2 + 0.3\nratio := a/c")
record("inequality", "three_factors", "cfa", "f1 =~ x1 + a*x2 + b*x3\nf2 =~ x4 + x5 + x6\na > 1.1\nb < 2")
three <- "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9"
record("heywood", "few", "cfa", three)
record("bounds_standard", "few", "cfa", three, bounds = "standard")
record("bounds_active", "few", "cfa", three, bounds = "pos.var")
second <- "f1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf4 =~ y10 + y11 + y12\ng =~ f1 + f2 + f3 + f4"
bifactor <- "g =~ y1 + y2 + y3 + y4 + y5 + y6 + y7 + y8 + y9 + y10 + y11 + y12\nf1 =~ y1 + y2 + y3\nf2 =~ y4 + y5 + y6\nf3 =~ y7 + y8 + y9\nf4 =~ y10 + y11 + y12"
second_fit <- record("second_order", "hierarchy", "cfa", second, std.lv = TRUE, meanstructure = TRUE, scores = TRUE)
record("second_order_mlr", "hierarchy", "cfa", second, estimator = "MLR")
record("bifactor", "hierarchy", "cfa", bifactor, std.lv = TRUE, orthogonal = TRUE, meanstructure = TRUE, scores = TRUE)
record("paths", "paths", "sem", "m ~ p*a\ny ~ q*m + r*b + s*a\nindirect := p*q\ntotal := s + p*q", meanstructure = TRUE)
record("paths_random", "paths", "sem", "m ~ p*a + b\ny ~ q*m + b", fixed.x = FALSE, estimator = "MLR")
record("mediation", "mediation", "sem", "u =~ z1 + z2 + z3\nv =~ z4 + z5 + z6\nw =~ z7 + z8 + z9\nv ~ p*u\nw ~ q*v + r*u + age\nindirect := p*q", estimator = "MLR")
record("fiml", "with_gaps", "cfa", cfa3, missing = "ml", scores = TRUE)
record("fiml_mlr", "with_gaps", "cfa", cfa3, missing = "ml", estimator = "MLR")
record("listwise", "with_gaps", "cfa", cfa3, estimator = "MLR", meanstructure = TRUE)
record("growth", "growth", "growth", "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4", scores = TRUE)
record("growth_covariate", "growth", "growth", "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4\ni + s ~ w", estimator = "MLR")
steps <- list(configural = NULL, metric = "loadings", scalar = c("loadings", "intercepts"), strict = c("loadings", "intercepts", "residuals"))
fits <- lapply(names(steps), function(step) do.call(record, c(list(paste0("groups_", step), "three_factors", "cfa", cfa3, estimator = "MLR", group = "school", released = step == "scalar"), if (!is.null(steps[[step]])) list(group.equal = steps[[step]]))))
xs <- paste0("x", 1:9)
record("ordinal_wlsmv", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMV")
record("ordinal_theta", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMV", parameterization = "theta")
record("ordinal_dwls", "ordinal", "cfa", cfa3, ordered = xs, estimator = "DWLS")
record("ordinal_groups", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMV", group = "school", group.equal = c("loadings", "thresholds"))
record("ordinal_groups_theta", "ordinal", "cfa", cfa3, ordered = xs, estimator = "WLSMV", group = "school", group.equal = c("loadings", "thresholds"), parameterization = "theta")
record("binary", "binary", "cfa", "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6", ordered = paste0("x", 1:6), estimator = "WLSMV", std.lv = TRUE)

differences <- list(software = paste("lavaan", packageVersion("lavaan")), date = as.character(Sys.Date()))
for (method in c("satorra.bentler.2001", "satorra.bentler.2010")) for (k in 2:4) {
  t <- suppressWarnings(lavTestLRT(fits[[k - 1]], fits[[k]], method = method))
  differences[[paste(names(steps)[k - 1], names(steps)[k], method)]] <- list(chisq = numbers(t[2, "Chisq diff"]), df = t[2, "Df diff"], p = numbers(t[2, "Pr(>Chisq)"]))
}
put("differences", differences)

data <- read("three_factors"); rows <- as.matrix(read.csv(file.path(paths[1], "resamples.csv"), header = FALSE)) + 1
drawn <- lapply(seq_len(nrow(rows)), function(r) polished("cfa", list(model = cfa3, data = data[rows[r, ], ])))
put("bootstrap", list(software = differences$software, date = differences$date, sample = "three_factors", syntax = cfa3,
  names = names(coef(drawn[[1]])), coef = numbers(unname(t(sapply(drawn, coef)))), chisq = numbers(unname(sapply(drawn, fitMeasures, "chisq")))))

if (requireNamespace("semTools", quietly = TRUE)) {
  suppressMessages(library(semTools))
  one <- polished("cfa", list(model = cfa3, data = data))
  put("reliability", list(software = paste("semTools", packageVersion("semTools")), date = differences$date,
    omega = as.list(numbers(compRelSEM(one))), ave = as.list(numbers(AVE(one))),
    second_order = as.list(numbers(compRelSEM(second_fit, higher = "g")))))
}
cat("\n"); print(warnings())
