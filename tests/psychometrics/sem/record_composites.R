# Records lavaan's results of models with composites (<~). By hand, after record.py's CSVs are in a
# folder:
#   Rscript tests/psychometrics/sem/record_composites.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines) - 1)]))

chain <- "C <~ 1*z1 + z2 + z3\nf =~ z4 + z5 + z6\nf ~ p*C + age\nz7 ~ C + q*f\nindirect := p*q"
record("composite_ml", "mediation", "sem", chain)
record("composite_mlr", "mediation", "sem", chain, estimator = "MLR", meanstructure = TRUE,
       fixed.x = FALSE)
record("composite_conditional", "mediation", "sem", chain, conditional.x = TRUE)
record("composite_groups", "three_factors", "sem", "C <~ 1*x1 + x2 + x3\nx4 ~ C\nx7 ~ C",
       group = "school", group.equal = "composite.loadings")
# By itself lavaan 0.6-14 frees the covariances of C's residual, whose variance is 0, with f and g,
# so that its model is not identified.
record("composite_latent", "mediation", "sem",
       paste("C <~ 1*f + g\nf =~ z1 + z2 + z3\ng =~ z4 + z5 + z6\nz7 ~ C\nz8 ~ C\nz9 ~ C",
             "C ~~ 0*f + 0*g", sep = "\n"))
record("composite_mimic", "mediation", "sem", "C <~ z1 + z2 + age\nC =~ z4 + z5 + z6",
       estimator = "GLS")
record("composite_ordinal", "ordinal_covariates", "sem",
       "C <~ 1*age + sex\nf =~ x4 + x5 + x6\nf ~ C\nmark ~ C", ordered = c("x4", "x5", "x6"))
