# Records lavaan's results of models with products of observed variables. By hand, after record.py's
# CSVs are in a folder:
#   Rscript tests/psychometrics/sem/record_products.R CSVS tests/psychometrics/sem/recorded
# The functions are those of record.R, up to its first model.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source_lines <- readLines(file.path(here, "record.R"))
eval(parse(text = source_lines[seq_len(grep("^cfa3 <-", source_lines) - 1)]))

record("product_paths", "paths", "sem", "m ~ a + b + p*a:b\ny ~ m + a + b + s*a:b\nboth := p + s",
       estimator = "MLR")
record("product_latent", "two_levels", "sem", "g =~ y1 + y2 + y3\ng ~ x1 + x2 + x1:x2\ny4 ~ g + x1:x2",
       meanstructure = TRUE)
