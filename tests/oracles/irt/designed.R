# eRm's conditional estimates and lme4's explanatory models of simulated answers (designed.py).
# Rscript tests/oracles/irt/designed.R   (from the root of the checkout)
suppressMessages({library(eRm); library(lme4); library(jsonlite)})
root <- "tests/oracles/irt"
read <- function(name) read.csv(file.path(root, "data", name))
versions <- function() list(R = paste(R.version$major, R.version$minor, sep = "."),
  eRm = as.character(packageVersion("eRm")), lme4 = as.character(packageVersion("lme4")))
record <- function(id, data, call, values)
  writeLines(toJSON(c(list(id = id, software = versions(), date = as.character(Sys.Date()),
    data = data, call = call), values), digits = 15, auto_unbox = TRUE, pretty = FALSE),
    file.path(root, "cases", paste0(id, ".json")))
conditional <- function(m) list(conditional_logLik = m$loglik, npar = m$npar,
  etapar = unname(m$etapar), se_eta = unname(m$se.eta), betapar = unname(m$betapar),
  se_beta = unname(m$se.beta), beta_names = names(m$betapar))
mixed <- function(m) { s <- summary(m); v <- as.data.frame(VarCorr(m))
  list(logLik = as.numeric(logLik(m)), fixed = list(name = rownames(s$coefficients),
    estimate = unname(s$coefficients[, 1]), se = unname(s$coefficients[, 2])),
    random = list(group = v$grp, variance = v$vcov),
    max_abs_gradient = max(abs(m@optinfo$derivs$gradient))) }

frame <- read("sim_design.csv"); X <- frame[, -(1:2)]
parts <- do.call(rbind, strsplit(names(X), "_"))
W <- cbind(b = parts[, 1] == "b", c = parts[, 1] == "c", upper = parts[, 2] == "upper",
           three = parts[, 3] == "three") + 0
record("sim_rasch_cml", "sim_design.csv", "RM(X, sum0 = TRUE)", conditional(RM(X, sum0 = TRUE)))
record("sim_lltm_cml", "sim_design.csv", "LLTM(X, W, sum0 = FALSE)",
  c(conditional(LLTM(X, W, sum0 = FALSE)), list(W = unname(W), W_columns = colnames(W))))
record("sim_pcm_cml", "sim_pcm.csv", "PCM(X, sum0 = TRUE)",
  conditional(PCM(read("sim_pcm.csv"), sum0 = TRUE)))
record("sim_rsm_cml", "sim_rating.csv", "RSM(X, sum0 = TRUE)",
  conditional(RSM(read("sim_rating.csv"), sum0 = TRUE)))

n <- nrow(X); long <- data.frame(y = unlist(X), id = factor(rep(seq_len(n), ncol(X))),
  item = factor(rep(names(X), each = n)), age = rep(frame$age, ncol(X)),
  trained = rep(frame$trained, ncol(X)), kind = rep(parts[, 1], each = n),
  half = rep(parts[, 2], each = n), size = factor(rep(parts[, 3], each = n), c("two", "three")))
control <- glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 2e5, rhoend = 1e-8))
record("sim_lltm_glmer", "sim_design.csv",
  "glmer(y ~ kind + half + size + (1 | id), binomial, nAGQ = 25)",
  mixed(glmer(y ~ kind + half + size + (1 | id), long, binomial, control = control, nAGQ = 25)))
long$age <- long$age / 10
record("sim_explanatory_glmer", "sim_design.csv",
  "glmer(y ~ age / 10 + trained + kind + half + size + (1 | id) + (1 | item), binomial)",
  mixed(glmer(y ~ age + trained + kind + half + size + (1 | id) + (1 | item), long, binomial,
              control = control)))
