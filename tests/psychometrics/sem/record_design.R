# Records lavaan's results with sampling weights and clusters. By hand, after record.py's CSVs are in
# a folder:
#   Rscript tests/psychometrics/sem/record_design.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines))]))
three <- cfa3
mimic <- paste0("f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf1 ~ x9\nf2 ~ f1 + x8")
record("design_weights", "designed", "cfa", three, sampling.weights = "weight", indices = TRUE)
record("design_weights_fiml", "designed_gaps", "cfa", three, sampling.weights = "weight",
       estimator = "MLR", missing = "ml")
record("design_weights_listwise", "designed_gaps", "cfa", three, sampling.weights = "weight",
       estimator = "MLR")
record("design_weights_groups", "designed", "cfa", three, sampling.weights = "weight",
       estimator = "MLR", group = "school")
record("design_weights_metric", "designed", "cfa", three, sampling.weights = "weight",
       estimator = "MLR", group = "school", group.equal = "loadings")
record("design_clusters", "designed", "cfa", three, cluster = "family", estimator = "MLR")
record("design_clusters_ml", "designed", "cfa", three, cluster = "family")
record("design_clusters_fiml", "designed_gaps", "cfa", three, cluster = "family",
       estimator = "MLR", missing = "ml")
record("design_clusters_groups", "designed", "cfa", three, cluster = "nested", estimator = "MLR",
       group = "school")
record("design_both", "designed", "sem", mimic, cluster = "family", sampling.weights = "weight",
       estimator = "MLR")
record("design_both_fiml", "designed_gaps", "cfa", three, cluster = "family",
       sampling.weights = "weight", estimator = "MLR", missing = "ml")
