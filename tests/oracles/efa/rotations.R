# Records lavaan's rotations of simulated samples: Rscript tests/oracles/efa/rotations.R
# Two samples of 400 persons and 12 indicators: "clusters" of three correlated factors with cross
# loadings, "general" of a general factor and three group factors.
suppressMessages({library(lavaan); library(jsonlite)})
set.seed(35)
n <- 400
x <- paste0("x", 1:12)
clusters <- kronecker(diag(3), matrix(c(.8, .7, .6, .5), 4))
clusters[cbind(c(2, 5, 7, 10, 12), c(2, 3, 1, 1, 2))] <- c(.3, -.25, .2, .35, -.2)
between <- matrix(.35, 3, 3); diag(between) <- 1
general <- cbind(.6, kronecker(diag(3), matrix(c(.6, .5, .5, .4), 4)))
sample_of <- function(loadings, phi) {
  scores <- matrix(rnorm(n * ncol(loadings)), n) %*% chol(phi)
  common <- scores %*% t(loadings)
  unique <- sqrt(1 - diag(loadings %*% phi %*% t(loadings)))
  r <- cor(common + matrix(rnorm(n * 12), n) %*% diag(unique))
  dimnames(r) <- list(x, x)
  r
}
samples <- list(clusters = sample_of(clusters, between), general = sample_of(general, diag(4)))
# A target that specifies zeros only.
partial <- ifelse(clusters > .4 | clusters != 0, NA, 0)
case <- function(name, rotation, orthogonal, ..., sample = "clusters", factors = 3)
  list(name = name, rotation = rotation, sample = sample, factors = factors,
       args = list(orthogonal = orthogonal, row.weights = "none", ...))
# With orthogonal factors, Crawford and Ferguson's kappa is orthomax's gamma / p. lavaan 0.6-14 takes
# no other kappa than 1 for "cf" (cf.gamma is without effect). A target with all cells has local
# optima, in one of which lavaan ends; the singular vectors of A'T give the best.
cases <- list(
  case("varimax", "varimax", TRUE),
  case("quartimax", "quartimax", TRUE),
  case("equamax", "orthomax", TRUE, orthomax.gamma = 3 / 2),
  case("parsimax", "orthomax", TRUE, orthomax.gamma = 24 / 13),
  case("entropy", "entropy", TRUE),
  case("mccammon", "mccammon", TRUE),
  case("tandemI", "tandem1", TRUE),
  case("tandemII", "tandem2", TRUE),
  case("bentlerT", "bentler", TRUE),
  case("infomaxT", "infomax", TRUE),
  case("geominT", "geomin", TRUE, geomin.epsilon = .01),
  case("cfT", "orthomax", TRUE, orthomax.gamma = 12 * .3),
  case("bifactorT", "biquartimin", TRUE, sample = "general", factors = 4),
  case("pstT", "pst", TRUE, target = ifelse(is.na(partial), 0, partial),
       target.mask = 1 * !is.na(partial)),
  case("oblimin", "oblimin", FALSE, oblimin.gamma = -.5),
  case("quartimin", "quartimin", FALSE),
  case("geomin", "geomin", FALSE, geomin.epsilon = .01),
  case("simplimax", "simplimax", FALSE, factors = 2),
  case("bentlerQ", "bentler", FALSE),
  case("infomaxQ", "infomax", FALSE),
  case("cfQ", "cf", FALSE),
  case("bifactorQ", "biquartimin", FALSE, sample = "general", factors = 4),
  case("pstQ", "pst", FALSE, target = ifelse(is.na(partial), 0, partial),
       target.mask = 1 * !is.na(partial))
)
call <- paste(
  "efa(sample.cov = r, sample.nobs = 400, ov.names = names, nfactors = factors, se = 'none',",
  "rotation = rotation, rotation.args = c(args, list(std.ov = TRUE, rstarts = 30,",
  "order.lv.by = 'none', gpa.tol = 1e-6, max.iter = 1000)), control = list(rel.tol = 1e-14))")
out <- list(software = paste("lavaan", packageVersion("lavaan"), "on", R.version.string),
            date = format(Sys.Date()), call = call, names = x, samples = samples)
for (one in cases) {
  args <- c(one$args, list(std.ov = TRUE, rstarts = 30, order.lv.by = "none", gpa.tol = 1e-6,
                           max.iter = 1000))
  fit <- try(suppressWarnings(efa(sample.cov = samples[[one$sample]], sample.nobs = n,
    ov.names = x, nfactors = one$factors, se = "none", rotation = one$rotation,
    rotation.args = args, control = list(rel.tol = 1e-14))))
  if (inherits(fit, "try-error")) next
  est <- lavInspect(fit[[1]], "std")
  one$loadings <- unclass(est$lambda)
  one$phi <- unclass(est$psi)
  out$cases[[one$name]] <- one
  message(one$name)
}
write(toJSON(out, auto_unbox = TRUE, digits = 10, na = "null", matrix = "rowmajor"),
      "tests/oracles/efa/rotations.json")
