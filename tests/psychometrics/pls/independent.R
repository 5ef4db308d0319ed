# PLS path modelling written out in loops over rows of data, in base R: nothing is shared with
# gfactor. Reliability, HTMT and missing-data moments come from lavaan, psych and semTools.
#
#   Rscript independent.R cases.json results.json
#
# record_cases.py writes cases.json (data and models) and stores the results.

suppressMessages({library(jsonlite); library(lavaan); library(psych); library(semTools)})
arguments <- commandArgs(trailingOnly = TRUE)

unit <- function(x) { x <- x - mean(x); x / sqrt(sum(x^2) / (length(x) - 1)) }

pls <- function(data, blocks, modes, paths, scheme) {
  z <- apply(data, 2, unit)
  names <- names(blocks)
  weight <- lapply(blocks, function(b) rep(1, length(b)))
  score <- function() sapply(names, function(k) unit(z[, blocks[[k]], drop = FALSE] %*% weight[[k]]))
  y <- score()
  for (round in 1:20000) {
    proxy <- matrix(0, nrow(z), length(names), dimnames = list(NULL, names))
    for (k in names) {
      from <- paths$source[paths$target == k]
      to <- paths$target[paths$source == k]
      if (scheme == "path") {
        if (length(from)) {
          slope <- lm.fit(y[, from, drop = FALSE], y[, k])$coefficients
          proxy[, k] <- y[, from, drop = FALSE] %*% slope
        }
        for (other in to) proxy[, k] <- proxy[, k] + cor(y[, k], y[, other]) * y[, other]
      } else for (other in c(from, to)) {
        r <- cor(y[, k], y[, other])
        proxy[, k] <- proxy[, k] + (if (scheme == "centroid") sign(r) else r) * y[, other]
      }
    }
    old <- weight
    for (k in names) {
      x <- z[, blocks[[k]], drop = FALSE]
      w <- if (modes[[k]] == "A") as.vector(crossprod(x, proxy[, k])) else
        as.vector(lm.fit(x, proxy[, k])$coefficients)
      weight[[k]] <- w / sd(as.vector(x %*% w))
    }
    y <- score()
    if (round > 1 && max(abs(unlist(weight) - unlist(old))) < 1e-14) break
  }
  for (k in names) {
    if (sum(cor(z[, blocks[[k]]], y[, k])) < 0) { weight[[k]] <- -weight[[k]]; y[, k] <- -y[, k] }
  }
  loading <- lapply(setNames(names, names), function(k) as.vector(cor(z[, blocks[[k]]], y[, k])))
  list(weight = weight, loading = loading, score = y, z = z)
}

regress <- function(r, paths) {
  beta <- list(); r2 <- list()
  for (k in unique(paths$target)) {
    from <- paths$source[paths$target == k]
    b <- solve(r[from, from, drop = FALSE], r[from, k])
    for (i in seq_along(from)) beta[[paste(from[i], k, sep = " -> ")]] <- as.numeric(b[i])
    r2[[k]] <- sum(b * r[from, k])
  }
  list(paths = beta, r2 = r2)
}

# rho_A as Dijkstra and Henseler write it, with matrices.
rho_a <- function(z, columns, w) {
  if (length(w) == 1) return(1)
  s <- cor(z[, columns]); off <- s - diag(diag(s)); ww <- w %*% t(w)
  sum(w * w)^2 * as.numeric(t(w) %*% off %*% w) / as.numeric(t(w) %*% (ww - diag(diag(ww))) %*% w)
}

consistent <- function(fit, blocks, modes, paths) {
  names <- names(blocks)
  rho <- sapply(names, function(k)
    if (modes[[k]] == "B") 1 else rho_a(fit$z, blocks[[k]], fit$weight[[k]]))
  r <- cor(fit$score) / sqrt(outer(rho, rho)); diag(r) <- 1
  loading <- lapply(setNames(names, names), function(k) {
    w <- fit$weight[[k]]
    if (modes[[k]] == "B" || length(w) == 1) fit$loading[[k]] else w * sqrt(rho[[k]]) / sum(w^2)
  })
  c(list(loading = loading, rho_a = as.list(rho)), regress(r, paths))
}

distances <- function(z, blocks, loading, r) {
  columns <- unlist(blocks); owner <- rep(names(blocks), lengths(blocks))
  s <- cor(z[, columns]); l <- unlist(loading)
  factor <- s; composite <- s
  for (i in seq_along(columns)) for (j in seq_along(columns)) if (i != j) {
    value <- l[i] * l[j] * (if (owner[i] == owner[j]) 1 else r[owner[i], owner[j]])
    factor[i, j] <- value
    if (owner[i] != owner[j]) composite[i, j] <- value
  }
  one <- function(m) {
    low <- (s - m)[lower.tri(s, diag = TRUE)]
    e <- Re(eigen(solve(s) %*% m, only.values = TRUE)$values)
    list(srmr = sqrt(mean(low^2)), d_uls = sum((s - m)^2) / 2,
         d_g = if (all(e > 0)) sum(log(e)^2) / 2 else NULL)
  }
  if (min(eigen(s, only.values = TRUE)$values) < 1e-8) return(NULL)
  list(common_factor = one(factor), composite = one(composite))
}

run <- function(case) {
  data <- as.matrix(as.data.frame(case$data))
  paths <- case$paths; modes <- case$modes; blocks <- case$blocks
  if (case$kind == "two-stage") {
    part <- case$parts[[1]]; whole <- names(case$parts)
    open <- do.call(rbind, lapply(seq_len(nrow(paths)), function(i) expand.grid(
      source = if (paths$source[i] == whole) part else paths$source[i],
      target = if (paths$target[i] == whole) part else paths$target[i], stringsAsFactors = FALSE)))
    first <- pls(data, blocks, modes, open, case$scheme)
    data <- cbind(data, first$score[, part])
    blocks <- c(blocks[setdiff(names(blocks), part)], setNames(list(part), whole))
  }
  if (case$kind == "repeated") {
    part <- case$parts[[1]]; whole <- names(case$parts)
    columns <- unlist(blocks[part]); copies <- data[, columns]; colnames(copies) <- paste0("r.", columns)
    data <- cbind(data, copies); blocks[[whole]] <- colnames(copies)
    drawn <- if (modes[[whole]] == "A") data.frame(source = whole, target = part) else
      data.frame(source = part, target = whole)
    paths <- rbind(paths, drawn)
  }
  if (case$kind %in% c("moderated two-stage", "moderated product", "moderated orthogonal")) {
    a <- case$moderation[1]; m <- case$moderation[2]; name <- paste(a, m, sep = ":")
    if (case$kind == "moderated two-stage") {
      first <- pls(data, blocks, modes, paths[paths$source != name, ], case$scheme)
      products <- cbind(first$score[, a] * first$score[, m]); colnames(products) <- name
    } else {
      z <- apply(data, 2, unit); products <- NULL
      for (i in blocks[[a]]) for (j in blocks[[m]]) {
        p <- z[, i] * z[, j]
        if (case$kind == "moderated orthogonal") p <- residuals(lm(p ~ z[, c(blocks[[a]], blocks[[m]])]))
        products <- cbind(products, p); colnames(products)[ncol(products)] <- paste(i, j, sep = "*")
      }
    }
    data <- cbind(data, products); blocks[[name]] <- colnames(products); modes[[name]] <- "A"
  }
  fit <- pls(data, blocks, modes, paths, case$scheme)
  found <- c(list(weights = fit$weight, loadings = fit$loading), regress(cor(fit$score), paths))
  found$rho_a <- lapply(setNames(names(blocks), names(blocks)), function(k)
    if (modes[[k]] == "B") 1 else rho_a(fit$z, blocks[[k]], fit$weight[[k]]))
  if (case$kind == "consistent") {
    better <- consistent(fit, blocks, modes, paths)
    found$loadings <- better$loading; found$paths <- better$paths; found$r2 <- better$r2
  }
  if (case$kind == "plain") found$fit <- distances(fit$z, blocks, fit$loading, cor(fit$score))
  if (case$kind == "plain" && isTRUE(case$measures)) {
    several <- names(blocks)[lengths(blocks) > 2]
    model <- paste(sapply(several, function(k) paste(k, "=~", paste(blocks[[k]], collapse = "+"))),
                   collapse = "\n")
    frame <- as.data.frame(case$data)
    wide <- function(m) { m <- unclass(m); m[upper.tri(m)] <- t(m)[upper.tri(m)]; diag(m) <- NA
      lapply(setNames(several, several), function(i) as.list(m[i, several])) }
    found$htmt <- wide(htmt(model, frame, htmt2 = FALSE, absolute = TRUE))
    found$htmt2 <- wide(htmt(model, frame, htmt2 = TRUE, absolute = TRUE))
    found$alpha <- lapply(blocks[several], function(b) {
      a <- suppressWarnings(psych::alpha(frame[, b], check.keys = FALSE))$total
      list(raw = a$raw_alpha, standardized = a$std.alpha) })
    found$omega <- lapply(blocks[several], function(b) {
      text <- paste("f =~", paste(b, collapse = "+"))
      l <- lavInspect(cfa(text, as.data.frame(scale(frame[, b])), std.lv = TRUE,
        control = list(rel.tol = 1e-12)), "std")$lambda[, 1]
      sum(l)^2 / (sum(l)^2 + sum(1 - l^2)) })
    found$vif <- lapply(blocks, function(b) if (length(b) == 1) 1 else lapply(setNames(b, b),
      function(i) 1 / (1 - summary(lm(frame[[i]] ~ as.matrix(frame[, setdiff(b, i)])))$r.squared)))
  }
  found
}

moments <- function(data) {
  frame <- as.data.frame(data)
  em <- lavCor(frame, missing = "ml", output = "fit", control = list(rel.tol = 1e-12))
  list(pairwise = cor(frame, use = "pairwise.complete.obs"),
       em = cov2cor(lavInspect(em, "sampstat")$cov))
}

given <- fromJSON(arguments[1], simplifyVector = TRUE)
results <- list(
  made_by = list(R = R.version.string, lavaan = as.character(packageVersion("lavaan")),
                 psych = as.character(packageVersion("psych")),
                 semTools = as.character(packageVersion("semTools")),
                 command = "python tests/psychometrics/pls/record_cases.py"),
  cases = lapply(given$cases, run),
  missing = moments(given$missing))
write_json(results, arguments[2], digits = NA, auto_unbox = TRUE, null = "null", na = "null")
